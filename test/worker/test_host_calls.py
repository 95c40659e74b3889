"""What host code of a Python entry asks of a GPU beside work."""

import unittest

try:
    import torch
except ModuleNotFoundError:
    torch = None
else:
    from kernelwright_worker.candidate.counting.host_calls import HostCalls
    from kernelwright_worker.candidate.counting.torch_work import TorchWork
    from kernelwright_worker.candidate.virtual_device import VirtualDevice

NOTHING = {"calls": 0, "bytes": 0}


def _ended(x, work):
    work.note(work.host.waited)


def _own(x, work):
    with work.paused():
        x[0].item()


#: What is done with eight numbers, and what counts of it: copies to the host, to the GPU, waits.
CASES = [
    ("an element", lambda x, work: x[3].item(), (1, 4), (0, 0), 0),
    ("a condition", lambda x, work: 1 if x[0] > 3 else 2, (1, 1), (0, 0), 0),
    ("a number of Python's", lambda x, work: float(x[1]), (1, 4), (0, 0), 0),
    ("all of it", lambda x, work: x.cpu(), (1, 32), (0, 0), 0),
    ("all of it by name", lambda x, work: x.to("cpu"), (1, 32), (0, 0), 0),
    ("all of it by device", lambda x, work: x.to(torch.device("cpu")), (1, 32), (0, 0), 0),
    ("another type is no copy", lambda x, work: x.to(torch.float64), (0, 0), (0, 0), 0),
    ("what the host has is not copied again", lambda x, work: x.cpu()[0].item(), (1, 32), (0, 0), 0),
    ("what was changed since is", lambda x, work: (x.cpu(), x.add_(1).tolist()), (2, 64), (0, 0), 0),
    ("a list is given", lambda x, work: torch.tensor([1, 2], device="cuda"), (0, 0), (1, 16), 0),
    ("a wait at the end is none", _ended, (0, 0), (0, 0), 0),
    ("a wait before further work", lambda x, work: (_ended(x, work), x + 1), (0, 0), (0, 0), 1),
    ("our own work", _own, (0, 0), (0, 0), 0),
]


@unittest.skipIf(torch is None, "torch is not here")
class HostCallsTest(unittest.TestCase):
    def test_counts(self):
        for title, does, to_host, to_device, waits in CASES:
            with self.subTest(title):
                work = TorchWork()
                with work, VirtualDevice(work):
                    does(torch.ones(8) * 2, work)
                told = work.host.told()
                copies = [tuple(told[way].values()) for way in ("toHost", "toDevice")]
                self.assertEqual((*copies, told["waits"]), (to_host, to_device, waits))

    def test_a_kernel_may_change_what_the_host_has(self):
        calls = HostCalls()
        values = torch.ones(8)
        calls.to_host(values)
        calls.to_host(values)
        calls.launched()
        calls.to_host(values)
        self.assertEqual(calls.told(), {"toHost": {"calls": 2, "bytes": 64}, "toDevice": NOTHING, "waits": 0})


if __name__ == "__main__":
    unittest.main()
