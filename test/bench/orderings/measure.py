"""Times the cases of test/cases/orderings on the GPU of this machine.

    python3 test/bench/orderings/measure.py > test/cases/orderings/measured-NAME.json

A word behind it takes the series whose names hold it alone. It needs NVIDIA's driver, nvcc and numpy. Each launch sequence is timed by events, once with the second-level
cache overwritten before it ("cold") and once right after itself ("warm"); the median of up to 50 calls is kept.
Floats are random, since zeros draw less power and run at a higher clock.
"""

import ctypes
import datetime
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import numpy

CASES = pathlib.Path(__file__).parents[2] / "cases" / "orderings"
ELEMENT_TYPES = {"u8": "u1", "f16": "f2", "f32": "f4", "u32": "u4", "f64": "f8"}
MOST_CALLS = 50
SECONDS_PER_CASE = 0.2
FLUSHED_BYTES = 256 << 20
CAPABILITY_ATTRIBUTES = {"major": 75, "minor": 76}
DYNAMIC_SHARED_ATTRIBUTE = 8
#: Rows of gpu-limits.json, by what the driver calls the GPU.
ROWS = {"NVIDIA H200": "H200 SXM", "NVIDIA H100 80GB HBM3": "H100 SXM", "NVIDIA H100 PCIe": "H100 PCIe"}
#: What events see of a kernel that does nothing.
EMPTY = 'extern "C" __global__ void empty() {}'

driver = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    """One call of the driver. Raises RuntimeError with the driver's own words."""
    code = getattr(driver, name)(*arguments)
    if code == 0:
        return
    text = ctypes.c_char_p()
    driver.cuGetErrorString(code, ctypes.byref(text))
    raise RuntimeError(f"{name}: {(text.value or b'unknown error').decode()}")


class Gpu:
    """GPU number 0, its context and its events."""

    def __init__(self):
        call("cuInit", 0)
        device = ctypes.c_int()
        call("cuDeviceGet", ctypes.byref(device), 0)
        context = ctypes.c_void_p()
        call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        call("cuCtxSetCurrent", context)
        digits = []
        for attribute in CAPABILITY_ATTRIBUTES.values():
            value = ctypes.c_int()
            call("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
            digits.append(str(value.value))
        self.architecture = "sm_" + "".join(digits)
        self.start = self.event()
        self.stop = self.event()
        self.flushed = self.allocate(FLUSHED_BYTES)

    def event(self):
        event = ctypes.c_void_p()
        call("cuEventCreate", ctypes.byref(event), 0)
        return event

    def allocate(self, size):
        address = ctypes.c_uint64()
        call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address

    def seconds(self, action, is_cold):
        # What goes before keeps the GPU busy while the launch is on its way from the host.
        if is_cold:
            call("cuMemsetD8_v2", self.flushed, ctypes.c_ubyte(7), ctypes.c_size_t(FLUSHED_BYTES))
        else:
            action()
        call("cuEventRecord", self.start, None)
        action()
        call("cuEventRecord", self.stop, None)
        call("cuEventSynchronize", self.stop)
        milliseconds = ctypes.c_float()
        call("cuEventElapsedTime", ctypes.byref(milliseconds), self.start, self.stop)
        return milliseconds.value / 1e3


def content_of(text, random):
    kind, length, *rest = text.split()
    count = int(length)
    if kind in ("u8", "u32"):
        below = int(rest[1]) if rest else 256
        return random.integers(0, below if rest or kind == "u8" else 1, count).astype(ELEMENT_TYPES[kind])
    return random.standard_normal(count, dtype="f4").astype(ELEMENT_TYPES[kind])


def dimensions(part):
    numbers = [int(each) for each in re.findall(r"\d+", part)]
    return [*numbers, 1, 1][:3]


class Launch:
    """A launch as the cases write it: kernel<<<(x,y),(x,y),bytes>>>(buffer, 12, 1.5)."""

    def __init__(self, text, module, buffers):
        kernel, shape, arguments = re.fullmatch(r"(\w+)<<<(.+)>>>\((.*)\)", text).groups()
        parts = re.findall(r"\([^)]*\)|\d+", shape)
        self.grid = dimensions(parts[0])
        self.block = dimensions(parts[1])
        self.shared = int(parts[2]) if len(parts) > 2 else 0
        self.function = ctypes.c_void_p()
        call("cuModuleGetFunction", ctypes.byref(self.function), module, kernel.encode())
        if self.shared > 48 << 10:
            call("cuFuncSetAttribute", self.function, DYNAMIC_SHARED_ATTRIBUTE, self.shared)
        given = arguments.split(", ") if arguments else []
        self.values = [self.value(each, index, buffers) for index, each in enumerate(given)]
        pointers = [ctypes.cast(ctypes.pointer(each), ctypes.c_void_p) for each in self.values]
        self.parameters = (ctypes.c_void_p * len(pointers))(*pointers)

    def value(self, text, index, buffers):
        if re.fullmatch(r"-?\d+", text):
            return ctypes.c_int64(int(text))
        if not re.fullmatch(r"-?\d*\.\d+", text):
            return buffers[text]
        offset, size = ctypes.c_size_t(), ctypes.c_size_t()
        call(
            "cuFuncGetParamInfo",
            self.function,
            ctypes.c_size_t(index),
            ctypes.byref(offset),
            ctypes.byref(size),
        )
        return ctypes.c_float(float(text)) if size.value == 4 else ctypes.c_double(float(text))

    def run(self):
        shape = [ctypes.c_uint(each) for each in (*self.grid, *self.block, self.shared)]
        call("cuLaunchKernel", self.function, *shape, None, self.parameters, None)


def timed(gpu, launches, is_cold):
    """Nanoseconds of the sequence: the median."""

    def action():
        for each in launches:
            each.run()

    for _ in range(3):
        first = gpu.seconds(action, is_cold)
    calls = max(5, min(MOST_CALLS, int(SECONDS_PER_CASE / first)))
    return round(1e9 * statistics.median(gpu.seconds(action, is_cold) for _ in range(calls)))


def compiled(source, architecture, folder):
    target = f"{folder}/{source.name}.cubin"
    command = ["nvcc", "-cubin", f"-arch={architecture}", str(source), "-o", target]
    subprocess.run(command, check=True, stdout=sys.stderr)
    module = ctypes.c_void_p()
    call("cuModuleLoad", ctypes.byref(module), target.encode())
    return module


def measured(gpu, series, modules, random):
    buffers = {}
    for name, text in series["buffers"].items():
        content = content_of(text, random)
        buffers[name] = gpu.allocate(content.nbytes)
        call(
            "cuMemcpyHtoD_v2",
            buffers[name],
            content.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_size_t(content.nbytes),
        )
    times = {}
    for case in series["cases"]:
        module = modules(case.get("file", series["file"]))
        launches = [Launch(text, module, buffers) for text in case.get("measured", case["launches"])]
        times[case["name"]] = {"cold": timed(gpu, launches, True), "warm": timed(gpu, launches, False)}
    for address in buffers.values():
        call("cuMemFree_v2", address)
    return times


def main():
    gpu = Gpu()
    query = [
        "nvidia-smi",
        "--query-gpu=name,driver_version,clocks.max.sm",
        "--format=csv,noheader",
        "-i",
        "0",
    ]
    name, version, clock = (
        subprocess.run(query, check=True, capture_output=True, text=True).stdout.strip().split(", ")
    )
    compiler = re.search(
        r"V[\d.]+", subprocess.run(["nvcc", "--version"], capture_output=True, text=True).stdout
    )
    known = {}
    random = numpy.random.default_rng(1)
    series_times = {}
    with tempfile.TemporaryDirectory() as folder:

        def modules(file):
            if file not in known:
                known[file] = compiled(CASES / file, gpu.architecture, folder)
            return known[file]

        source = pathlib.Path(folder) / "empty.cu"
        source.write_text(EMPTY)
        nothing = [Launch("empty<<<1,1>>>()", compiled(source, gpu.architecture, folder), {})]
        empty = {"cold": timed(gpu, nothing, True), "warm": timed(gpu, nothing, False)}

        word = sys.argv[1] if len(sys.argv) > 1 else ""
        files = [CASES / "orderings.json", CASES / "timed.json"]
        for series in [each for file in files for each in json.loads(file.read_text())]:
            if word not in series["name"]:
                continue
            try:
                series_times[series["name"]] = measured(gpu, series, modules, random)
            except (RuntimeError, subprocess.CalledProcessError) as error:
                print(f"{series['name']}: {error}", file=sys.stderr)
    about = {"gpu": name, "row": ROWS.get(name, name), "driver": version, "maximumClock": clock}
    about["compiler"] = compiler[0] if compiler else "unknown"
    about["date"] = datetime.date.today().isoformat()
    print(json.dumps({**about, "unit": "ns", "empty": empty, "series": series_times}, indent=1))


main()
