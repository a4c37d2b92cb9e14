"""What computer players are asked, and a process of its own that answers: moves, hints, how games went."""
