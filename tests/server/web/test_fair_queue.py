"""The order in which requests of several networks are handled."""

import asyncio

import pytest

from server.web.wsgi_bridge import FairQueue


async def order_of(networks: str, most: int, each: int) -> str:
    """Return the order in which requests of these networks, all made at the same time, are handled."""
    queue, order = FairQueue(most, each), []

    async def handle(network: str) -> None:
        async with queue.turn(network):
            order.append(network)
            await asyncio.sleep(0)

    await asyncio.gather(*map(handle, networks))
    return "".join(order)


def test_networks_take_turns() -> None:
    assert asyncio.run(order_of("xaaabbc", 1, 1)) == "xabcaba"


def test_a_request_whose_client_has_gone_takes_no_place() -> None:
    async def run() -> None:
        queue = FairQueue(1, 1)

        async def handle() -> None:
            async with queue.turn("a"):
                await asyncio.sleep(0)

        async with queue.turn("a"):
            gone, other = (asyncio.create_task(handle()) for _ in range(2))
            await asyncio.sleep(0)
            gone.cancel()
            with pytest.raises(asyncio.CancelledError):
                await gone
            assert not other.done()
        await other

    asyncio.run(run())
