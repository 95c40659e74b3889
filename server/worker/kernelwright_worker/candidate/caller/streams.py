"""Streams as a program sees them. All work is complete when the call that starts it returns; which work a GPU would
order behind which is kept in mind.
"""

from __future__ import annotations

import contextlib
import itertools
import weakref
from collections.abc import Iterator

import torch

from ..finished_stream import FinishedStream

#: Work of each stream that has ended for sure, by the stream's number; of a stream its own work as well.
Clock = dict[int, int]

_numbers = itertools.count(1)
_known: weakref.WeakValueDictionary[int, Stream] = weakref.WeakValueDictionary()


def _join(clock: Clock, other: Clock) -> None:
    for number, work in other.items():
        clock[number] = max(clock.get(number, 0), work)


class Stream(FinishedStream):
    """A stream of its own, which waits for none but those that it is told to wait for."""

    device = torch.device("cpu")
    device_index = 0

    def __init__(self, *_: object, **__: object) -> None:
        super().__init__()
        #: As launches are given it.
        self.cuda_stream = next(_numbers)
        self.clock: Clock = {}
        _known[self.cuda_stream] = self

    @property
    def stream_id(self) -> int:
        return self.cuda_stream

    @property
    def priority(self) -> int:
        return 0

    def work(self) -> None:
        """Something was started here; the host has had to wait for whatever it has waited for."""
        _join(self.clock, streams.host)
        self.clock[self.cuda_stream] = self.clock.get(self.cuda_stream, 0) + 1

    def synchronize(self) -> None:
        _join(streams.host, self.clock)

    def wait_stream(self, stream: Stream) -> None:
        _join(self.clock, stream.clock)

    def wait_event(self, event: Event) -> None:
        _join(self.clock, event.clock)

    def record_event(self, event: Event | None = None) -> Event:
        event = Event() if event is None else event
        event.record(self)
        return event

    def __enter__(self) -> Stream:
        streams.entered.append(streams.current)
        streams.current = self
        return self

    def __exit__(self, *_: object) -> None:
        streams.current = streams.entered.pop()


class Event:
    """An event, which stands for the work before it."""

    def __init__(self, *_: object, **__: object) -> None:
        self.clock: Clock = {}

    def record(self, stream: Stream | None = None) -> None:
        self.clock = dict((stream or streams.current).clock)

    def wait(self, stream: Stream | None = None) -> None:
        (stream or streams.current).wait_event(self)

    def synchronize(self) -> None:
        _join(streams.host, self.clock)

    def query(self) -> bool:
        return True

    def elapsed_time(self, _end: Event) -> float:
        """Nothing takes time here; a program may divide by it."""
        return 1.0


class Streams:
    """The streams of the process, of which one is the current one."""

    def __init__(self) -> None:
        self.default = Stream.__new__(Stream)
        self.default.clock = {}
        self.current: Stream = self.default
        #: Those that were current before `with` blocks that have not ended.
        self.entered: list[Stream] = []
        #: Work that the host has waited for.
        self.host: Clock = {}
        self._caller: Stream | None = None
        self._strays: set[str] = set()
        self._launched: dict[int, int] = {}

    def wait_for_all(self, *_: object) -> None:
        """The host waits for all work there is."""
        _join(self.host, self._launched)
        if self._caller is not None:
            _join(self.host, self._caller.clock)

    def wait_for_current(self) -> None:
        """The host has got what the current stream computes."""
        _join(self.host, self.current.clock)

    @contextlib.contextmanager
    def called_from_one(self) -> Iterator[set[str]]:
        """What is called within has a caller who works on a stream of its own. Gives what does not go by that, filled
        in the end: `before`, work that is not ordered behind the caller's; `behind`, work that the caller's is not
        ordered behind; `current`, another stream is current.
        """
        self._caller = caller = Stream()
        self._launched, self._strays, self.host = {}, set(), {}
        caller.work()
        found: set[str] = set()
        try:
            with caller:
                yield found
                if self.current is not caller:
                    self._strays.add("current")
                _join(caller.clock, self.host)
                self._strays.update("behind" for each in self._launched.items() if self._is_loose(*each))
                found.update(self._strays)
                # Whoever has changed it and whoever called may not be on one stream afterwards.
                self.current = caller
        finally:
            self._caller = None

    def _is_loose(self, number: int, work: int) -> bool:
        return self._caller is not None and self._caller.clock.get(number, 0) < work

    def launched(self, number: int) -> None:
        """A kernel was started on the stream of that number."""
        caller = self._caller
        if caller is None:
            return
        if number == caller.cuda_stream:
            caller.work()
            return
        stream = self.known(number)
        stream.work()
        self._launched[number] = stream.clock[number]
        # One piece of work was there when the call began.
        if stream.clock.get(caller.cuda_stream, 0) < 1:
            self._strays.add("before")

    def known(self, number: int) -> Stream:
        """The stream of a number; a new one where nobody holds that any more."""
        return self.default if number == self.default.cuda_stream else _known.get(number) or Stream()


streams = Streams()


def stream_context(stream: Stream | None) -> contextlib.AbstractContextManager:
    """`with torch.cuda.stream(stream)`."""
    return contextlib.nullcontext() if stream is None else stream


def _set_stream(stream: Stream | None) -> None:
    if stream is not None:
        streams.current = stream


#: What torch.cuda says about streams, by name of the function.
ANSWERS = {
    "Stream": Stream,
    "ExternalStream": Stream,
    "Event": Event,
    "stream": stream_context,
    "StreamContext": stream_context,
    "set_stream": _set_stream,
    "current_stream": lambda *_: streams.current,
    "default_stream": lambda *_: streams.default,
}

#: The same for torch.accelerator.
ACCELERATOR_ANSWERS = {name: ANSWERS[name] for name in ("current_stream", "set_stream")}
