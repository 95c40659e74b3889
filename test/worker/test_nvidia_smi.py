"""What the command nvidia-smi says of the modelled GPU."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import paths  # noqa: F401
from kernelwright_worker.torch_gpu import nvidia_smi

QUERY = "--query-gpu=name, compute_cap,memory.total,fan.speed"


@unittest.skipIf(sys.platform == "win32", "programs for Triton need Linux")
class NvidiaSmi(unittest.TestCase):
    def check(self, arguments, expected):
        said = subprocess.run(["nvidia-smi", *arguments], capture_output=True, text=True, check=True)
        self.assertEqual(expected, said.stdout.splitlines())

    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        patches = (
            mock.patch.dict(os.environ, {"PATH": self.folder}),
            mock.patch.object(nvidia_smi.tempfile, "mkdtemp", lambda prefix: self.folder),
        )
        for patch in patches:
            patch.start()
            self.addCleanup(patch.stop)

    def test_it_answers_for_the_modelled_gpu(self):
        nvidia_smi.install("A GPU's name", 89, 4 << 30, "13.0")
        cases = {
            (): [
                "The virtual GPU of Kernelwright, without a driver.  CUDA Version: 13.0",
                "GPU 0: A GPU's name, compute capability 8.9, 4096 MiB",
            ],
            ("-L",): ["GPU 0: A GPU's name (UUID: GPU-00000000-0000-0000-0000-000000000000)"],
            (QUERY, "--format=csv"): [
                "name, compute_cap, memory.total [MiB], fan.speed",
                "A GPU's name, 8.9, 4096 MiB, [N/A]",
            ],
            (QUERY, "--format=csv,noheader,nounits"): ["A GPU's name, 8.9, 4096, [N/A]"],
        }
        for arguments, expected in cases.items():
            with self.subTest(arguments):
                self.check(arguments, expected)

    def test_one_that_is_there_stays(self):
        path = os.path.join(self.folder, "nvidia-smi")
        with open(path, "w") as file:
            file.write("#!/bin/sh\necho its own\n")
        os.chmod(path, 0o755)
        nvidia_smi.install("A GPU's name", 89, 4 << 30, "13.0")
        self.check([], ["its own"])


if __name__ == "__main__":
    unittest.main()
