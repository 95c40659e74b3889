"""Reading what nvcc and ptxas print, the compile cache, and the walls around files."""

import os
import subprocess
import tempfile
import unittest

import paths
from kernelwright_worker.compile.build import Build
from kernelwright_worker.compile.cache import CompileCache, cache_key
from kernelwright_worker.compile.messages import nvcc_diagnostics, ptxas_diagnostics
from kernelwright_worker.compile.running import Cancelled, Children
from kernelwright_worker.errors import WorkerError
from kernelwright_worker.compile.ptxas_report import parse_report
from kernelwright_worker.compile.setup_file import read_setup_file
from kernelwright_worker.source_files import SourceFolder, inside

REPORT = """ptxas info    : 0 bytes gmem, 8 bytes cmem[3]
ptxas info    : Compiling entry function '_Z1aPf' for 'sm_80'
ptxas info    : Function properties for _Z1aPf
    256 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 256 bytes cumulative stack size, 4096 bytes smem, \
372 bytes cmem[0]
ptxas info    : Compile time = 38.269 ms
ptxas info    : Compiling entry function 'plain' for 'sm_80'
ptxas info    : Function properties for plain
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for helper
    64 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers
"""

PTX = """.visible .entry k(
)
{
\t.loc\t1 7 3
\tmov.u32 %r1, 1;
\t.loc\t2 9 1
\tbroken;
}
\t.file\t1 "src/k.cu"
\t.file\t2 "src/inner.cuh"
"""


LOADING = """from torch.utils.cpp_extension import load
import json
flags = ["-O3", "-U__CUDA_NO_HALF_OPERATORS__"]
lib = load(name="ops", sources=["csrc/ops.cu"], extra_cuda_cflags=flags + ["--use_fast_math"], verbose=True)
options = json.load(open("options.json"))
"""


class SetupFiles(unittest.TestCase):
    def test_a_script_that_loads_an_extension_tells_how_its_sources_are_compiled(self):
        self.assertEqual(
            read_setup_file(LOADING),
            [
                {
                    "line": 4,
                    "sources": ["csrc/ops.cu"],
                    "includeFolders": [],
                    "defines": [],
                    "nvccFlags": ["-O3", "-U__CUDA_NO_HALF_OPERATORS__", "--use_fast_math"],
                }
            ],
        )

    def test_sources_that_are_not_written_out_are_left_out(self):
        texts = [
            "import torch.utils.cpp_extension\ntorch.utils.cpp_extension.load('o', found, None, ['-lineinfo'])",
            "from torch.utils import cpp_extension as e\ne.load('o', sources=found, extra_cuda_cflags=['-lineinfo'])",
            "from torch.utils.cpp_extension import load as make\nmake('o', glob('*.cu'), extra_cuda_cflags=['-lineinfo'])",
        ]
        for text in texts:
            with self.subTest(text):
                self.assertEqual(
                    read_setup_file(text),
                    [{"line": 2, "includeFolders": [], "defines": [], "nvccFlags": ["-lineinfo"]}],
                )
        self.assertEqual(read_setup_file("import torch\ntorch.load('weights.pt', sources=['a'])"), [])


class Report(unittest.TestCase):
    def test_each_entry_has_its_own_figures(self):
        first, second = parse_report(REPORT)
        self.assertEqual(
            {
                "name": "_Z1aPf",
                "architecture": "sm_80",
                "registers": 255,
                "stackBytes": 256,
                "spillStoreBytes": 4,
                "spillLoadBytes": 12,
                "sharedBytes": 4096,
                "barriers": 1,
            },
            first,
        )
        self.assertEqual(
            ("plain", 12, 0, 0),
            (second["name"], second["registers"], second["stackBytes"], second["sharedBytes"]),
        )

    def test_nothing_and_nonsense_give_no_entries(self):
        self.assertEqual([], parse_report(""))
        self.assertEqual([], parse_report("Used 12 registers\n\0\n"))


class Messages(unittest.TestCase):
    def check(self, line, expected):
        found = nvcc_diagnostics(line, "/tmp/folder", "main.cu")
        self.assertEqual(
            [expected],
            [
                (each["severity"], each["file"], each["line"], each["message"], each["source"])
                for each in found
            ],
        )

    def test_front_end(self):
        self.check(
            '/tmp/folder/a.cu(12): error: identifier "x" is undefined\n      x = 1;\n      ^\n',
            ("error", "a.cu", 12, 'identifier "x" is undefined', "nvcc"),
        )
        self.check(
            './b.cuh(3): warning #177-D: variable "y" was declared but never referenced\n',
            ("warning", "b.cuh", 3, 'variable "y" was declared but never referenced', "nvcc"),
        )
        self.check(
            "a.cu(1): catastrophic error: cannot open source file\n",
            ("error", "a.cu", 1, "cannot open source file", "nvcc"),
        )

    def test_preprocessor_and_driver(self):
        self.check(
            "a.cu:3:10: fatal error: no.h: No such file or directory\n",
            ("error", "a.cu", 3, "no.h: No such file or directory", "nvcc"),
        )
        self.check(
            "nvcc fatal   : Unsupported gpu architecture 'compute_11'\n",
            ("error", "main.cu", 0, "Unsupported gpu architecture 'compute_11'", "nvcc"),
        )

    def test_lines_of_ptx_go_back_to_the_source(self):
        found = ptxas_diagnostics(
            "ptxas /tmp/m.ptx, line 7; error   : Unknown opcode\n"
            "ptxas error   : Entry function 'k' uses too much shared data\n",
            PTX,
            "main.cu",
        )
        self.assertEqual(
            [("src/inner.cuh", 9), ("src/k.cu", 7)], [(each["file"], each["line"]) for each in found]
        )


class Programs(unittest.TestCase):
    def test_ending_all_waits_for_each_and_starts_no_more(self):
        children = Children()
        endless = ["/bin/sh", "-c", "read forever; sleep 1000"]
        with tempfile.TemporaryDirectory() as folder:
            started = [children.start(endless, folder, {}, subprocess.PIPE) for _ in range(3)]
            children.end_all()
            self.assertEqual([-9, -9, -9], [each.returncode for each in started])
            self.assertRaises(Cancelled, children.start, endless, folder, {}, subprocess.PIPE)
            for each in started:
                each.communicate()


class Files(unittest.TestCase):
    def test_only_plain_relative_paths(self):
        with SourceFolder({"a/b.cu": "x"}) as sources:
            self.assertTrue(os.path.isfile(os.path.join(sources.path, "a", "b.cu")))
            for name in ("../x", "/x", "a/../../x", "", "a//b", "a\\b", "./a", "a\0b"):
                with self.subTest(name=name), self.assertRaises(WorkerError):
                    inside(sources.path, name)
            os.symlink("/tmp", os.path.join(sources.path, "link"))
            with self.assertRaises(WorkerError):
                inside(sources.path, "link/x")
        self.assertFalse(os.path.exists(sources.path))


class Settings(unittest.TestCase):
    def test_headers_stand_in_front_of_all_others(self):
        with tempfile.TemporaryDirectory() as folder:
            build = Build({"words": ["-Ilater"], "headers": {"bits/own.h": "#define OWN\n"}})
            front, later = build.arguments(folder)
            self.assertEqual("-Ilater", later)
            with open(os.path.join(folder, front[2:], "bits", "own.h"), encoding="utf-8") as file:
                self.assertEqual("#define OWN\n", file.read())
            self.assertNotEqual(build.identity(), Build({"words": ["-Ilater"]}).identity())

    def test_headers_outside_of_the_sources_count(self):
        with tempfile.TemporaryDirectory() as folder:
            header = os.path.join(folder, "inner", "size.h")
            os.makedirs(os.path.dirname(header))
            seen = []
            for text in ("#error none", "#define SIZE 4", "#define SIZE 8"):
                with open(header, "w", encoding="utf-8") as file:
                    file.write(text)
                seen.append(Build({"folders": [folder]}).identity())
            os.remove(header)
            seen.append(Build({"folders": [folder]}).identity())
            self.assertEqual(4, len({str(each) for each in seen}))
            self.assertEqual(seen[-1], Build({"folders": [folder]}).identity())


class Cache(unittest.TestCase):
    def test_an_entry_comes_back_and_a_damaged_one_counts_as_none(self):
        with tempfile.TemporaryDirectory() as folder:
            cache, key = CompileCache(folder), cache_key(["a", {"b": 1}])
            self.assertIsNone(cache.load(key))
            cache.store(key, {"compiled": True}, [b"ptx", b"cubin"])
            self.assertEqual(({"compiled": True}, [b"ptx", b"cubin"]), cache.load(key))
            cache.store(key, {"compiled": False}, [])
            self.assertEqual(({"compiled": False}, []), cache.load(key))
            cache.store(key, {"compiled": True}, [b"ptx"])
            with open(os.path.join(folder, key[:2], key, "artefact-0"), "wb") as file:
                file.write(b"other")
            self.assertIsNone(cache.load(key))
            self.assertEqual([key[:2]], os.listdir(folder))
            cache.prune()
            self.assertEqual([key], os.listdir(os.path.join(folder, key[:2])))


if __name__ == "__main__":
    unittest.main()
