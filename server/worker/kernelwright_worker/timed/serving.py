"""Answers requests for timed calls until nobody asks any more."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from . import wire
from .order import Order, read_order
from .wire import Wire

#: Before the message of a machine that cannot be used, whatever the candidate.
MACHINE = "machine: "


def serve(channel: Wire, start: Callable[[], Any], has_tools: bool = False) -> int:
    """`start` gives the candidate (as `timed.candidate.Candidate` is) and what `versions` tells; it is called once,
    before the first answer. With `has_tools` calls are made once before those that tools look at, and what went wrong is
    written to standard error too: a tool's output is all that is read then. Exit status 0.
    """
    try:
        candidate, told = start()
        problem = ""
    except Exception as error:
        candidate, told, problem = None, {}, "%s%s: %s" % (MACHINE, type(error).__name__, error)
    while True:
        try:
            head = channel.words(8)
            if head[0] == wire.CODE:
                call, content = channel.content(head[2]), channel.content(head[3])
                _answer(channel, problem, lambda: _load(candidate, call, content, told), has_tools)
            else:
                order = read_order(channel, head)
                _answer(channel, problem, lambda: _run(candidate, order, has_tools), has_tools)
        except wire.EndOfStream:
            return 0


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
