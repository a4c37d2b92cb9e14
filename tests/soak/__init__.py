"""A long run in bad weather: many games by mail and web, while processes are killed, the relay misbehaves, the
clock jumps, the database restarts and the disk is full. Afterwards nothing may be lost, and nothing doubled."""
