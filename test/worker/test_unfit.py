"""A Python whose torch and Triton the worker cannot use says so before any candidate's code is there."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import paths

TORCH = '__version__ = "1.0"\n\n\ndef set_num_threads(_):\n    pass\n'


class Unfit(unittest.TestCase):
    def hello(self, packages):
        """What a candidate process says first where these packages are installed."""
        with tempfile.TemporaryDirectory() as folder:
            site = os.path.join(folder, "site-packages")
            for name, text in packages.items():
                os.makedirs(os.path.join(site, name))
                with open(os.path.join(site, name, "__init__.py"), "w", encoding="utf-8") as file:
                    file.write(text)
            command = [sys.executable, paths.WORKER, "candidate"]
            environment = {"PATH": os.environ["PATH"], "PYTHONPATH": site}
            streams = {name: subprocess.PIPE for name in ("stdin", "stdout")}
            with subprocess.Popen(command, env=environment, **streams) as process:
                # It ends with its input.
                return json.loads(process.stdout.readline())["hello"]

    def test_versions_without_what_the_worker_uses_are_named_with_what_they_lack(self):
        hello = self.hello({"torch": TORCH, "triton": '__version__ = "2.0"\n'})
        self.assertEqual(
            {"torch": "1.0", "triton": "2.0", "program": sys.executable},
            {name: hello[name] for name in ("torch", "triton", "program")},
        )
        self.assertRegex(hello["unfit"], "torch|triton")

    def test_a_package_that_is_not_there_is_lacking(self):
        hello = self.hello({"torch": 'raise ModuleNotFoundError("no", name="numbers_of_torch")\n'})
        self.assertEqual(("", "numbers_of_torch"), (hello["torch"], hello["lacking"]))


if __name__ == "__main__":
    unittest.main()
