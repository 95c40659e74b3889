"""What a program that is timed on a GPU may do behind its walls, in places of each kind (places.py)."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import paths

PLACES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "places.py")

#: A program in the place of one that is timed on a GPU. NVIDIA's driver names its threads by this file, and
#: starts nothing where it cannot. All else of /proc stays as it is for every candidate.
NAMES_A_THREAD = r"""
import os, threading
def named():
    name = "/proc/self/task/%d/comm" % threading.get_native_id()
    with open(name, "w") as file:
        file.write("cuda")
    with open(name) as file:
        print(file.read().strip())
def attempts(path):
    try:
        open(path, "a").close()
        print("opened", path)
    except OSError:
        pass
thread = threading.Thread(target=named)
thread.start()
thread.join()
import socket
def sockets():
    for family, kind in ((1, 1), (1, 2), (2, 1), (1, 5 | socket.SOCK_CLOEXEC)):
        try:
            yield family, kind & 15, socket.socket(family, kind)
        except OSError:
            continue
opened = list(sockets())
print(*["%d/%d" % each[:2] for each in opened])
for _, _, each in opened[-1:]:
    try:
        each.connect("/nowhere")
    except OSError as error:
        print(error.errno)
for path in ("sys/kernel/core_pattern", "sysrq-trigger", "self/oom_score_adj", "../etc/planted"):
    attempts("/proc/" + path)
"""


@unittest.skipUnless(sys.platform.startswith("linux"), "namespaces, Landlock and seccomp are Linux's")
class ProgramsOnAGpu(unittest.TestCase):
    def check(self, place, device, expected):
        writable = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, writable)
        interpreter = "\n".join({sys.prefix, sys.base_prefix, os.path.dirname(sys.executable)})
        order = [writable, interpreter, "other-files,read-only", "60", device]
        command = [sys.executable, "-I", "-S", "-c", NAMES_A_THREAD]
        ended = subprocess.run(
            [sys.executable, PLACES, place, sys.executable, paths.WORKER, "program", *order, "--", *command],
            env={**os.environ, "XDG_CACHE_HOME": writable},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.assertEqual(expected, ended.stdout.decode())

    def test_the_driver_can_name_its_threads_and_nothing_else_is_open(self):
        self.check("machine", "/dev/zero", "cuda\n1/1 1/2 1/5\n2\n")

    def test_the_driver_can_name_its_threads_in_a_container_too(self):
        self.check("container", "/dev/zero", "cuda\n1/5\n1\n")

    def test_without_a_gpu_no_thread_is_named(self):
        self.check("machine", "", "1/1 1/2 1/5\n2\n")

    def test_without_a_gpu_a_container_gives_no_sockets(self):
        self.check("container", "", "\n")


if __name__ == "__main__":
    unittest.main()
