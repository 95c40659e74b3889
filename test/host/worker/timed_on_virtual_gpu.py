"""Times calls of a Python entry as `python FOLDER timed` does, with the virtual GPU for torch and Triton in the place of
a GPU: `python FILE FOLDER timed|looked-at PLACE`. Its times are modelled ones. With `KIND FILE` behind these a recorded
profile of Proton's is written where Proton would write its own.
"""

import ctypes
import os
import shutil
import sys
import tempfile

_, worker, kind, place, *proton = sys.argv
sys.path.insert(0, worker)
RECORDED = os.path.join(os.path.dirname(__file__), "..", "..", "cases", "imports")

from kernelwright_worker.oracle import pools  # noqa: E402
from kernelwright_worker.script import runner  # noqa: E402
from kernelwright_worker.timed import serving, wire  # noqa: E402


class VirtualContents:
    """As `kernelwright_worker.timed.gpu_contents.GpuContents`, by the oracle's own way to draw."""

    def __init__(self):
        self._pools = []
        self._copies = {}

    def hold(self, pools):
        self._pools = pools

    def draw(self, address, size, drawn):
        pool = self._pools[drawn.pool]
        by = (drawn.seed & 0xFFFFFFFF, drawn.seed >> 32, drawn.mask)
        content = pools.drawn(bytes(pool.content), pool.width, size // pool.width, by)
        ctypes.memmove(address, content, len(content))

    def repeat(self, address, size, pattern):
        ctypes.memmove(address, (pattern.to_bytes(8, "little") * (size // 8 + 1))[:size], size)

    def copied(self, place, address, size):
        self._copies[place] = ctypes.create_string_buffer(ctypes.string_at(address, size), size)
        return ctypes.addressof(self._copies[place])


class VirtualGpu:
    """As `kernelwright_worker.timed.gpu.Gpu`. What lies on `cuda` is memory of this process."""

    def __init__(self, driver):
        self._driver = driver
        self.contents = VirtualContents()
        self._began = 0
        self.marks = []

    def write(self, address, content):
        if content:
            ctypes.memmove(address, bytes(content), len(content))

    def read(self, address, size):
        return bytearray(ctypes.string_at(address, size))

    def synchronize(self):
        pass

    def flush(self):
        pass

    def begin(self):
        self._began = self._driver.modelled()

    def is_behind(self):
        return False

    def end(self):
        return float(self._driver.modelled() - self._began)

    def profile(self, on):
        self.marks.append(on)
        if proton and not on:
            file = proton[1]
            shutil.copyfile(os.path.join(RECORDED, "proton-samples.hatchet"), file + ".hatchet")


def begin():
    reason = runner._install()
    if reason is not None:
        raise RuntimeError(reason)
    from triton.runtime import driver

    from kernelwright_worker.timed.candidate import Candidate, versions

    driver.active.count_always()
    return Candidate(VirtualGpu(driver.active), place), versions()


channel = wire.private_wire()
os.environ["TRITON_CACHE_DIR"] = os.path.join(place, "triton-cache")
tempfile.tempdir = place
sys.exit(serving.serve(channel, begin, has_tools=kind == "looked-at"))
