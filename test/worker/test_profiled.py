"""torch's profilers on the virtual GPU."""

from __future__ import annotations

import unittest
from unittest import mock

try:
    import torch
except ImportError:
    torch = None


@unittest.skipIf(torch is None, "needs torch")
class ProfiledTest(unittest.TestCase):
    def test_no_events_of_a_gpu_are_asked_for(self) -> None:
        from kernelwright_worker.torch_gpu import cuda_module

        profile = torch.autograd.profiler.profile
        kinds = torch.autograd.ProfilerState
        with (
            mock.patch.object(profile, "__init__", profile.__init__),
            mock.patch("torch.cuda.is_available", lambda: True),
        ):
            self.assertEqual(profile(use_device="cuda").profiler_kind, kinds.KINETO_GPU_FALLBACK)
            cuda_module._profile_the_host()
            self.assertEqual(profile(use_device="cuda").profiler_kind, kinds.KINETO)


if __name__ == "__main__":
    unittest.main()
