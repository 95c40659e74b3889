"""What a hostile candidate and a hostile source can reach: the worker is started as the product starts it, in
places of each kind (places.py), and the code that it is given tries.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import paths

PLACES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "places.py")
SECRET = "EVERYBODY_S_KEY_7f3a"

#: Attacks of a candidate, by name: expressions that are an attack done when they give anything but False and
#: raise nothing. `libc`, `asked` (facts of the test) and `call` (a system call that must succeed) are there.
ATTACKS = {
    "write into the home": "open(asked['home'] + '/planted', 'a')",
    "write into /etc": "open('/etc/planted', 'a')",
    "write a temporary file": "open('/tmp/planted', 'a')",
    "write beside the worker": "open(asked['worker'] + '/planted.py', 'a')",
    "write into the interpreter": "open(asked['prefix'] + '/planted.pth', 'a')",
    "change a setting of the kernel": "open('/proc/sys/kernel/core_pattern', 'a')",
    "change a temporary file": "open(asked['other'], 'a')",
    "cut a temporary file": "os.truncate(asked['other'], 0) is None",
    "remove a temporary file": "os.unlink(asked['other']) is None",
    "open a temporary file to everybody": "os.chmod(asked['other'], 0o777) is None",
    "read a temporary file": "open(asked['other']).read()",
    "read a file of the home": "open(asked['own']).read()",
    "read the shadow": "open('/etc/shadow').read()",
    "list the home": "os.path.basename(asked['own']) in os.listdir(asked['home'])",
    "list the temporary files": "os.path.basename(asked['other']) in "
    "os.listdir(os.path.dirname(asked['other']))",
    "read the environment of the server": "open('/proc/%d/environ' % asked['pid']).read()",
    "read the environments of all": "[1 for n in os.listdir('/proc') if n.isdigit() for text in "
    "[open('/proc/' + n + '/environ').read()] if asked['secret'] in text] != []",
    "open the memory of the server": "open('/proc/%d/mem' % asked['pid'], 'rb')",
    "open a disk": "[open('/dev/' + name, 'rb') for name in ('vda', 'sda', 'nvme0n1', 'mem', 'kmsg')]",
    "take a wall down": "call(libc.umount2(b'/tmp', 2))",
    "mount all writable": "call(libc.mount(None, b'/', None, ctypes.c_ulong(0x1020), None))",
    "make a device": "os.mknod('disk', 0o60600, os.makedev(254, 0)) is None",
    "leave by a new root": "os.chroot('.') is None",
    "connect to this machine": "socket.create_connection(('127.0.0.1', asked['port']), 2)",
    "open a datagram socket": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "talk to the kernel's tables": "socket.socket(16, socket.SOCK_RAW)",
    "call the machine below": "socket.socket(40, socket.SOCK_STREAM)",
    "end the server": "os.kill(asked['pid'], 0) is None",
    "end all": "os.kill(-1, 0) is None and not asked['own_processes']",
    "trace the server": "call(libc.ptrace(16, asked['pid'], 0, 0))",
    "make namespaces": "call(libc.unshare(0x10000000))",
    "make namespaces with a child": "call(libc.syscall(56 if x86 else 220, 0x10000011, 0, 0, 0, 0) or -1)",
    "count events": "call(libc.syscall(298 if x86 else 241, ctypes.create_string_buffer(128), 0, -1, -1, 0))",
    "load a filter into the kernel": "call(libc.syscall(321 if x86 else 280, 0, "
    "ctypes.create_string_buffer(72), 72))",
    "queue work for the kernel": "call(libc.syscall(425, 8, ctypes.create_string_buffer(120)))",
    "keep a key": "call(libc.syscall(250 if x86 else 219, 0, -3, 1))",
    "handle page faults": "call(libc.syscall(323 if x86 else 282, 0))",
    "type into the terminal": "call(libc.ioctl(2, 0x5412, b'x'))",
    "start 400 processes": "start(400)",
    "fill the disk": "[open('filler%d' % n, 'wb').write(b'0' * 2 ** 26) for n in range(40)]",
}
#: What no wall stops where walls cannot be had: the reason why nothing is run there unless the user agreed.
OPEN_WHERE_BARE = {
    "write into the home",
    "write into /etc",
    "write a temporary file",
    "write beside the worker",
    "write into the interpreter",
    "change a setting of the kernel",
    "change a temporary file",
    "cut a temporary file",
    "read a temporary file",
    "read a file of the home",
    "read the shadow",
    "list the home",
    "list the temporary files",
    "remove a temporary file",
    "open a disk",
    "fill the disk",
}
#: Landlock does not bound how much lies in the private folder: each file's size is limited, not their number.
OPEN_IN_CONTAINERS = {"fill the disk"}

PROBE = r"""
import ctypes, json, os, platform, socket
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
x86 = platform.machine() == "x86_64"
asked = json.loads(%r)
children = []
def call(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return True
def start(count):
    try:
        for _ in range(count):
            child = os.fork()
            if child == 0:
                import signal
                signal.pause()
            children.append(child)
        return True
    finally:
        for child in children:
            try:
                os.kill(child, 9)
            except OSError:
                pass
done = []
for name, attack in asked["attacks"].items():
    try:
        if eval(attack) is not False:
            done.append(name)
    except OSError:
        pass
own = not os.path.exists("own") and open("own", "w").write("mine") == 4
# Of a statement that is no definition the import would be tried again without it.
class Answer:
    raise RuntimeError(json.dumps([own, done]))
"""


class Worker:
    """One worker process in a place, asked over its own protocol."""

    def __init__(self, place, *role):
        self.place = place
        self.temporary = tempfile.mkdtemp()
        self._process = self.start(*role)
        self.hello = json.loads(self._process.stdout.readline())["hello"]

    def start(self, *arguments):
        return subprocess.Popen(
            [sys.executable, PLACES, self.place, sys.executable, paths.WORKER, *arguments],
            env={**os.environ, "TMPDIR": self.temporary, "XDG_CACHE_HOME": self.temporary},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def ask(self, method, params):
        request = {"id": 1, "method": method, "params": params}
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        frames = [self._process.stdout.read(length) for length in answer["frames"]]
        return answer, frames

    def load(self, source):
        device = {
            "name": "none",
            "multiprocessors": 1,
            "sharedBytesPerBlock": 49152,
            "threadsPerMultiprocessor": 1024,
            "memory": 1 << 32,
            "secondLevelBytes": 5 << 20,
        }
        params = {"files": {"probe.py": source}, "call": "probe.py::run", "capability": 80, "device": device}
        return self.ask("load", params)[0]["result"]

    def close(self):
        """Ends it. Gives the names of what it left in the folder for temporary files."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
        left = [name for name in os.listdir(self.temporary) if name != "kernelwright"]
        shutil.rmtree(self.temporary)
        return left


class ForkedCandidate(Worker):
    """A candidate process that a fork server in the place made."""

    def __init__(self, place):
        self._sockets = tempfile.mkdtemp()
        super().__init__(place, "candidate", os.path.join(self._sockets, "s"))

    def start(self, role, path):
        self.server = super().start("fork-server", path)
        self.server.stdout.readline()
        return super().start(role, path)

    def close(self):
        left = super().close()
        self.server.stdin.close()
        self.server.stdout.close()
        self.server.wait()
        shutil.rmtree(self._sockets)
        return left


def secrets_of_this_machine(test):
    """Two files of somebody else, one among temporary files and one in the home; both go afterwards."""
    other = tempfile.NamedTemporaryFile("w", prefix="someone-elses-", suffix=".h")
    own = tempfile.NamedTemporaryFile(
        "w", prefix=".kernelwright-test-", dir=os.path.expanduser("~"), suffix=".h"
    )
    for file in (other, own):
        # Such a line is quoted by the compiler that reads it.
        file.write("static int shown = %s;\n" % SECRET)
        file.flush()
        test.addCleanup(lambda file=file: file.close() if os.path.exists(file.name) else None)
    return other.name, own.name


@unittest.skipUnless(sys.platform.startswith("linux"), "namespaces, Landlock and seccomp are Linux's")
class Walls(unittest.TestCase):
    def attack(self, worker, attacks):
        """Lets a candidate try; gives the names of the walls, and of the attacks that were done."""
        environment = {**os.environ, "KERNELWRIGHT_MODEL_KEY": SECRET}
        server = subprocess.Popen(
            [sys.executable, "-c", "import sys; sys.stdin.read()"], env=environment, stdin=subprocess.PIPE
        )
        try:
            other, own = secrets_of_this_machine(self)
            asked = {
                "attacks": attacks,
                "home": os.path.expanduser("~"),
                "worker": paths.WORKER,
                "prefix": sys.prefix,
                "other": other,
                "own": own,
                "pid": server.pid,
                "port": 22,
                "secret": SECRET,
                "own_processes": "message-queues" in worker.hello["walls"],
            }
            answer = worker.load(PROBE % json.dumps(asked))
        finally:
            server.stdin.close()
            server.wait()
            left = worker.close()
        said = answer["diagnostics"][0]["message"].partition(": ")[2]
        # Behind it stands who called.
        (own_folder, done), _ = json.JSONDecoder().raw_decode(said)
        self.assertEqual(True, own_folder)
        self.assertEqual([], left)
        return worker.hello["walls"], done

    def check(self, worker, attacks, allowed):
        walls, done = self.attack(worker, attacks)
        self.assertEqual(sorted(allowed), sorted(done), walls)
        return walls

    def test_a_candidate_reaches_nothing_but_its_own_folder(self):
        self.check(Worker("machine", "candidate"), ATTACKS, [])

    def test_a_forked_candidate_reaches_nothing_of_the_process_that_forked_it_either(self):
        worker = ForkedCandidate("machine")
        reach = {
            "open files of the server": "len(os.listdir('/proc/self/fd')) > 8",
            "connect to the server": "socket.socket(socket.AF_UNIX).connect(%r)" % worker.server.args[-1],
        }
        self.check(worker, {**ATTACKS, **reach}, [])

    def test_a_candidate_in_a_container_reaches_nothing_but_its_own_folder(self):
        attacks = {name: text for name, text in ATTACKS.items() if name not in OPEN_IN_CONTAINERS}
        walls = self.check(ForkedCandidate("container"), attacks, [])
        self.assertEqual(
            [], [each for each in ("network", "processes", "other-files", "read-only") if each not in walls]
        )

    def test_without_walls_the_worker_says_so_and_still_refuses_what_it_can(self):
        harmless = {name: text for name, text in ATTACKS.items() if name not in OPEN_WHERE_BARE}
        walls = self.check(ForkedCandidate("bare"), harmless, [])
        self.assertEqual(
            [], [each for each in ("other-files", "read-only", "process-table") if each in walls]
        )


#: Sources that try to show a file of the machine, which stands for FILE; none may show a word of it.
SOURCES = {
    "quoted include": '#include "FILE"\n',
    "include by a macro": '#define WHAT "FILE"\n#include WHAT\n',
    "include of what lies above": '#include "../../../../../../../../FILE"\n',
    "system include": "#include <FILE>\n",
    "existence": '#if __has_include("FILE")\n#error ' + SECRET + "\n#endif\n",
    "existence of what lies above": '#if __has_include("../../../../../../FILE")\n#error '
    + SECRET
    + "\n#endif\n",
    "embedding": '__device__ const char all[] = {\n#embed "FILE"\n};\n',
    "assembler": 'asm(".incbin \\"FILE\\"");\n',
    "text of another file": '#line 1 "FILE"\n#error shown\n',
}


@unittest.skipUnless(sys.platform.startswith("linux"), "namespaces, Landlock and seccomp are Linux's")
class Compilers(unittest.TestCase):
    def answers(self, place, file, without_walls=False):
        worker = Worker(place, "build")
        try:
            for name, source in SOURCES.items():
                text = (
                    source.replace("FILE", file).replace("//", "/")
                    + "__global__ void k(float *p) { p[0] = 1; }\n"
                )
                params = {"files": {"main.cu": text}, "main": "main.cu", "architecture": "sm_80", "nvcc": ""}
                params.update({"seconds": 60, "withoutWalls": without_walls})
                answer, frames = worker.ask("compile-cuda", params)
                yield name, answer, json.dumps(answer).encode() + b"".join(frames)
        finally:
            self.assertEqual([], worker.close())

    def check(self, place, files):
        for file in files:
            known = [b"root:", b"daemon:"] if file == "/etc/shadow" else [SECRET.encode()]
            for name, answer, whole in self.answers(place, file):
                with self.subTest(place=place, file=file, source=name):
                    self.assertIn("result", answer)
                    self.assertEqual([], [each for each in known if each in whole])

    def test_a_source_shows_no_file_of_the_machine(self):
        _, own = secrets_of_this_machine(self)
        self.check("machine", [own, "/etc/shadow"])

    def test_a_source_in_a_container_shows_no_file_of_the_machine(self):
        other, _ = secrets_of_this_machine(self)
        self.check("container", [other])

    def test_without_walls_nothing_is_compiled_unless_it_was_agreed(self):
        other, _ = secrets_of_this_machine(self)
        codes = {name: answer["error"]["code"] for name, answer, _ in self.answers("bare", other)}
        self.assertEqual(dict.fromkeys(SOURCES, "walls-missing"), codes)
        agreed = {name: whole for name, _, whole in self.answers("bare", other, True)}
        self.assertIn(SECRET.encode(), agreed["quoted include"])


if __name__ == "__main__":
    unittest.main()
