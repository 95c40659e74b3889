"""Answers requests for timed calls until nobody asks any more."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from . import wire
from .order import Order, read_order, read_pools
from .wire import Wire

#: Before the message of a machine that cannot be used, whatever the candidate.
MACHINE = "machine: "


def serve(
    channel: Wire,
    start: Callable[[], Any],
    has_tools: bool = False,
    preload: Callable[[], None] = lambda: None,
) -> int:
    """`preload` does at once what needs no GPU. `start` gives the candidate (as `timed.candidate.Candidate` is) and
    what `versions` tells; it is called once, when the first request comes. With `has_tools` calls are made once
    before those that tools look at, and what went wrong is written to standard error too: a tool's output is all that
    is read then. Exit status 0.
    """
    problem = _told(preload)
    candidate, told = None, {}

    def begin() -> None:
        nonlocal candidate, told
        candidate, told = start()

    while True:
        try:
            head = channel.words(8)
            if head[0] == wire.READY:
                # What went wrong is told where something is wanted.
                channel.reply(wire.RETURNED, 0, "", 0)
                continue
            if candidate is None and not problem:
                problem = _told(begin)
            if head[0] == wire.CODE:
                call, content = channel.content(head[2]), channel.content(head[3])
                _answer(channel, problem, lambda: _load(candidate, call, content, told), has_tools)
            elif head[0] == wire.POOLS:
                pools = read_pools(channel, head[2])
                _answer(channel, problem, lambda: (candidate.hold(pools), [], {}), has_tools)
            elif head[0] == wire.GIVE:
                _answer(channel, problem, lambda: (0, [candidate.kept(head[2])], {}), has_tools)
            else:
                order = read_order(channel, head)
                _answer(channel, problem, lambda: _run(candidate, order, has_tools), has_tools)
        except wire.EndOfStream:
            return 0


def _told(work: Callable[[], None]) -> str:
    """The problem of the machine that work has met; empty where there is none."""
    try:
        work()
    except Exception as error:
        return "%s%s: %s" % (MACHINE, type(error).__name__, error)
    return ""


def _answer(channel: Wire, problem: str, work: Callable[[], tuple], is_told: bool) -> None:
    """Does the work and sends what came of it."""
    from .buffers import Outside
    from .candidate import Raised
    from .outputs import NoOutputs

    def refuse(status: int, words: str) -> None:
        if is_told:
            sys.stderr.write(words + "\n")
        channel.reply(status, 0, words, 0)

    if problem:
        refuse(wire.FAILED, problem)
        return
    try:
        nanoseconds, contents, told = work()
    except Outside as error:
        refuse(wire.OUTSIDE, str(error))
        return
    except (Raised, NoOutputs) as error:
        refuse(wire.RAISED, str(error))
        return
    except Exception as error:
        refuse(wire.FAILED, "%s: %s" % (type(error).__name__, error))
        return
    message = json.dumps(told)
    if len(message) > wire.MOST_MESSAGE_BYTES:
        message = json.dumps({**told, "notes": ["it told more than can be repeated here"]})
    channel.reply(wire.RETURNED, nanoseconds, message, len(contents))
    for outputs in contents:
        for content in outputs:
            channel.write(content)


def _load(candidate: Any, call: bytearray, content: bytearray, told: dict) -> tuple:
    candidate.load(call.decode("utf-8"), json.loads(content.decode("utf-8")))
    return 0, [], told


def _run(candidate: Any, order: Order, has_tools: bool) -> tuple:
    return candidate.looked_at(order) if has_tools else candidate.time(order)
