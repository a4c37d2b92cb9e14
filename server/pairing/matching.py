"""The cheapest way to pair players: a matching with the lowest cost, by networkx."""

from collections.abc import Callable, Sequence
from itertools import combinations

Cost = tuple[int, ...]
"""The cost of a pair, never below zero: the first number matters most, and later ones never outweigh it."""


def cheapest(people: Sequence[int], cost: Callable[[int, int], Cost]) -> list[tuple[int, int]]:
    """Pair as many players as possible, so that the sums of the costs are least, the first numbers first.

    `cost` is called once for each two, in the order of `people`; each pair is in that order too.
    """
    import networkx  # only here: it needs 11 MB, and most servers never pair players

    costs = {(one, other): cost(one, other) for one, other in combinations(people, 2)}
    weights = _weights(list(costs.values()), most=len(people) // 2)
    graph = networkx.Graph()
    graph.add_nodes_from(people)
    for (one, other), weight in zip(costs, weights, strict=True):
        graph.add_edge(one, other, weight=-weight)
    found = {frozenset(pair) for pair in networkx.max_weight_matching(graph, maxcardinality=True)}
    return [pair for pair in costs if frozenset(pair) in found]


def _weights(costs: Sequence[Cost], most: int) -> list[int]:
    """Return each cost as one number, such that sums of up to `most` of them are in the order of the costs."""
    weights = [0] * len(costs)
    for part in zip(*costs, strict=True):
        base = most * max(part, default=0) + 1
        weights = [weight * base + each for weight, each in zip(weights, part, strict=True)]
    return weights
