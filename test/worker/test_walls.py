"""What a hostile candidate can reach: its process is started as the product starts it, and the code that it
loads tries.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import paths

PROBE = r"""
import ctypes, json, os, socket
def attempt(what):
    try:
        return [True, repr(what())]
    except OSError as error:
        return [False, str(error)]
libc = ctypes.CDLL(None, use_errno=True)
asked = json.loads(%r)
def system(call):
    return lambda: call == 0 or (_ for _ in ()).throw(OSError("refused"))
found = {"write " + path: attempt(lambda: open(path, "a")) for path in asked["write"]}
found.update({"read " + path: attempt(lambda: open(path).read()) for path in asked["read"]})
found["open a disk"] = attempt(lambda: [open("/dev/" + name, "rb") for name in ("vda", "sda", "nvme0n1", "mem", "kmsg")])
found["take a wall down"] = attempt(system(libc.umount2(b"/tmp", 2)))
found["mount all writable"] = attempt(system(libc.mount(None, b"/", None, ctypes.c_ulong(0x1020), None)))
found["make a device"] = attempt(lambda: os.mknod("disk", 0o60600, os.makedev(254, 0)))
found["connect"] = attempt(lambda: socket.create_connection(("127.0.0.1", asked["port"]), 2))
found["end others"] = attempt(lambda: os.kill(asked["pid"], 9))
found["fill the disk"] = attempt(lambda: [open("filler%%d" %% n, "wb").write(b"0" * 2 ** 26) for n in range(40)])
found["own folder"] = [not os.path.exists("own"), repr(open("own", "w"))]
raise RuntimeError(json.dumps(found))
"""


class Candidate:
    """One candidate process, asked over its own protocol."""

    def __init__(self):
        self.temporary = tempfile.mkdtemp()
        self._process = subprocess.Popen(
            [sys.executable, paths.WORKER, "candidate"],
            env={**os.environ, "TMPDIR": self.temporary},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.hello = json.loads(self._process.stdout.readline())["hello"]

    def load(self, source):
        device = {
            "name": "none",
            "multiprocessors": 1,
            "sharedBytesPerBlock": 49152,
            "threadsPerMultiprocessor": 1024,
            "memory": 1 << 32,
            "secondLevelBytes": 5 << 20,
        }
        request = {
            "id": 1,
            "method": "load",
            "params": {
                "files": {"probe.py": source},
                "call": "probe.py::run",
                "capability": 80,
                "device": device,
            },
        }
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())["result"]

    def close(self):
        """Ends it. Gives the names of what it left in the folder for temporary files."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
        left = os.listdir(self.temporary)
        shutil.rmtree(self.temporary)
        return left


class Walls(unittest.TestCase):
    @unittest.skipUnless(sys.platform.startswith("linux"), "namespaces are Linux's")
    def test_a_candidate_reaches_nothing_but_its_own_folder(self):
        candidate = Candidate()
        if "read-only" not in candidate.hello["walls"]:
            candidate.close()
            self.assertNotEqual(0, os.getuid(), "root can always build walls")
            return
        other = tempfile.NamedTemporaryFile(prefix="someone-elses-")
        self.addCleanup(other.close)
        home = os.path.expanduser("~")
        asked = {
            "write": [
                other.name,
                os.path.join(home, "planted"),
                "/etc/planted",
                "/tmp/planted",
                os.path.join(paths.WORKER, "planted.py"),
                os.path.join(sys.prefix, "planted.pth"),
                "/proc/sys/kernel/core_pattern",
                "/sys/kernel/uevent_helper",
            ],
            "read": [other.name, os.path.join(home, ".profile"), "/proc/%d/environ" % os.getpid()],
            "port": 22,
            "pid": os.getpid(),
        }
        answer = candidate.load(PROBE % json.dumps(asked))
        found = json.loads(answer["diagnostics"][0]["message"].partition(": ")[2])
        self.assertEqual([], candidate.close())
        self.assertEqual(["own folder"], [name for name, (done, _) in found.items() if done], found)
        self.assertEqual(
            [],
            [
                path
                for path in asked["write"]
                if path.endswith(("planted", ".py", ".pth")) and os.path.exists(path)
            ],
        )


if __name__ == "__main__":
    unittest.main()
