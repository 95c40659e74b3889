"""What a call of an entry leaves changed for its caller."""

import random
import unittest
import warnings
from collections.abc import Callable

import paths  # noqa: F401
import torch
from kernelwright_worker.candidate import virtual_device
from kernelwright_worker.candidate.caller import gradients
from kernelwright_worker.candidate.caller.state import CallerState
from kernelwright_worker.candidate.caller.streams import streams

_FACTS = {
    "name": "GPU",
    "multiprocessors": 8,
    "threadsPerMultiprocessor": 2048,
    "sharedBytesPerBlock": 65536,
    "secondLevelBytes": 1 << 20,
    "memory": 1 << 30,
}


def _launch(on: object = None) -> None:
    streams.launched((on or torch.cuda.current_stream()).cuda_stream)


def _waits(begins: bool, ends: bool) -> None:
    side, caller = torch.cuda.Stream(), torch.cuda.current_stream()
    if begins:
        side.wait_event(caller.record_event())
    with torch.cuda.stream(side):
        _launch()
    if ends:
        caller.wait_stream(side)


def _waits_on_host() -> None:
    torch.cuda.synchronize()
    _launch(torch.cuda.default_stream())
    torch.cuda.synchronize()


def _waits_for_one() -> None:
    torch.cuda.current_stream().synchronize()
    _launch(torch.cuda.default_stream())


class Orders(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        virtual_device.install(80, _FACTS)
        virtual_device.notice_waits(lambda: None)

    def test_of_streams(self):
        cases = [
            ("the caller's", _launch, set()),
            ("the default one", lambda: _launch(torch.cuda.default_stream()), {"before", "behind"}),
            ("one that waits and is waited for", lambda: _waits(True, True), set()),
            ("one that is waited for", lambda: _waits(False, True), {"before"}),
            ("one that waits", lambda: _waits(True, False), {"behind"}),
            ("the host waits for all", _waits_on_host, set()),
            ("the host waits before it", _waits_for_one, {"behind"}),
            ("another one is left", lambda: torch.cuda.set_stream(torch.cuda.Stream()), {"current"}),
        ]
        for name, call, strays in cases:
            with self.subTest(name):
                with streams.called_from_one() as found:
                    call()
                self.assertEqual(strays, found)


def _forked() -> None:
    with torch.random.fork_rng():
        torch.manual_seed(3)
        torch.rand(2)


class States(unittest.TestCase):
    def test_of_settings(self):
        virtual_device.install(80, _FACTS)
        kept = warnings.filters[:]
        cases: list[tuple[Callable[[], object], dict, Callable[[], object]]] = [
            (_forked, {}, list),
            (lambda: torch.rand(2), {"random": "drawn"}, list),
            (lambda: torch.manual_seed(0), {"random": "seeded", "device-random": "seeded"}, list),
            (lambda: torch.cuda.manual_seed(1), {"device-random": "seeded"}, list),
            (lambda: random.seed(0), {"host-random": "changed"}, list),
            (lambda: torch.Generator().manual_seed(1), {}, list),
            (
                lambda: torch.set_grad_enabled(False),
                {"gradients": "False"},
                lambda: torch.set_grad_enabled(True),
            ),
            (
                lambda: torch.set_default_dtype(torch.float64),
                {"type": "torch.float64"},
                lambda: torch.set_default_dtype(torch.float32),
            ),
            (
                lambda: torch.set_float32_matmul_precision("medium"),
                {"products": "medium", "tf32": "True"},
                lambda: torch.set_float32_matmul_precision("highest"),
            ),
            (
                lambda: warnings.simplefilter("ignore"),
                None,
                lambda: warnings.filters.__setitem__(slice(None), kept),
            ),
            (
                lambda: torch.set_flush_denormal(True),
                {"denormals": "True"},
                lambda: torch.set_flush_denormal(False),
            ),
        ]
        for number, (change, told, back) in enumerate(cases):
            with self.subTest(number):
                state = CallerState()
                state.seed(1234567)
                change()
                changed = state.changed()
                back()
                if told is None:
                    self.assertEqual(["warnings"], list(changed))
                else:
                    self.assertEqual(told, changed)


class _Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx: object, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @staticmethod
    def backward(ctx: object, slope: torch.Tensor) -> torch.Tensor:
        return slope * 2


class Gradients(unittest.TestCase):
    def test_of_inputs(self):
        cases = [
            (lambda x, y, _: x.detach() + y.detach(), {}),
            (lambda x, y, _: x * 2 + y.detach(), {"gradients-of": "0"}),
            (
                lambda x, y, _: (x, [_Double.apply(x) + y]),
                {"gradients-of": "0,1", "own-gradients-of": "0,1"},
            ),
            (lambda x, y, n: _Double.apply(y)[n], {"gradients-of": "1", "own-gradients-of": "1"}),
        ]
        for number, (call, told) in enumerate(cases):
            with self.subTest(number):
                tensors = [torch.ones(3), torch.ones(3), torch.tensor([0])]
                gradients.ask(tensors, {"gradients": True})
                self.assertEqual(told, gradients.reached(call(*tensors), tensors))
        self.assertEqual({}, gradients.reached(_Double.apply(torch.ones(2)), [torch.ones(2)]))


if __name__ == "__main__":
    unittest.main()
