"""What an evaluation costs that begins anew: a process imports torch and builds the candidate as an extension.

The same two compilations side by side and the same link as torch.utils.cpp_extension.load_inline makes them,
without its ninja. Nothing is launched, so that no GPU is needed. Arguments: the source of the kernel and its
launcher, the path of nvcc, the launcher's declaration, its name.
"""

import importlib
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import torch
from torch.utils.cpp_extension import include_paths, library_paths

BINDING = """#include <torch/extension.h>
#include <cstdint>
{declaration};
PYBIND11_MODULE(candidate, module) {{
  module.def("launch", [](std::uintptr_t input, std::uintptr_t output, int rows, int columns) {{
    {name}(reinterpret_cast<const float*>(input), reinterpret_cast<float*>(output), rows, columns);
  }});
}}
"""


def main() -> None:
    source, nvcc, declaration, name = sys.argv[1:]
    include = [f"-I{path}" for path in (*include_paths(), sysconfig.get_path("include"))]
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "binding.cpp").write_text(BINDING.format(declaration=declaration, name=name))
        kernel = f"#include <torch/types.h>\n#include <cuda_runtime.h>\n{Path(source).read_text()}"
        (here / "kernel.cu").write_text(kernel)
        compilers = [
            ["g++", "-std=c++20", "-fPIC", *include, "-c", "binding.cpp", "-o", "binding.o"],
            [
                nvcc,
                "-std=c++20",
                "-arch=sm_80",
                "-Xcompiler",
                "-fPIC",
                *include,
                "-c",
                "kernel.cu",
                "-o",
                "kernel.o",
            ],
        ]
        running = [subprocess.Popen(command, cwd=here) for command in compilers]
        if any(process.wait() != 0 for process in running):
            sys.exit("the extension does not compile")
        libraries = [f"-L{path}" for path in library_paths()]
        linked = ["-lc10", "-ltorch_cpu", "-ltorch", "-ltorch_python"]
        command = [nvcc, "-shared", "binding.o", "kernel.o", *libraries, *linked, "-o", "candidate.so"]
        subprocess.run(command, cwd=here, check=True)
        sys.path.insert(0, folder)
        built = importlib.import_module("candidate")
        print(f"torch {torch.__version__}: {built.launch.__name__}")


main()
