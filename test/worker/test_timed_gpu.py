"""Times and contents by a driver. A library in the place of libcuda.so.1 has the types that NVIDIA documents,
memory of this process, and a clock that work moves on: what stands on it is calculated by hand.
"""

import ctypes
import subprocess
import tempfile
import unittest

import paths  # noqa: F401
from kernelwright_worker.timed.gpu import DriverFailure, Gpu
from kernelwright_worker.timed.order import Drawn, Pool

LIBRARY = r"""
#include <stdlib.h>
#include <string.h>
typedef unsigned long long Pointer;
static double now, pending;
static unsigned long flushed, flushes, markers;
static int broken;
/* For the tests: work of the default stream, work that no event waits for, a fault. */
void work(double milliseconds) { now += milliseconds; }
void later(double milliseconds) { pending += milliseconds; }
void fail(int status) { broken = status; }
unsigned long asked(int which) { return which == 0 ? flushed : which == 1 ? flushes : markers; }
int cuInit(unsigned flags) { return flags == 0 ? 0 : 1; }
int cuDeviceGet(int *device, int ordinal) { *device = 3; return ordinal; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 38 && device == 3 ? 300 << 20 : 0;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = &now; return device == 3 ? 0 : 101; }
int cuCtxSetCurrent(void *context) { return context == &now ? 0 : 201; }
int cuCtxSynchronize(void) { now += pending; pending = 0; return broken; }
int cuEventCreate(void **event, unsigned flags) { *event = malloc(sizeof(double)); return flags; }
int cuEventRecord(void *event, void *stream) { *(double *)event = now; return stream == 0 ? 0 : 400; }
int cuEventQuery(void *event) { return now > *(double *)event ? 0 : 600; }
int cuEventSynchronize(void *event) { return event == 0; }
int cuEventElapsedTime_v2(float *span, void *first, void *last) {
  *span = (float)(*(double *)last - *(double *)first);
  return 0;
}
int cuMemAlloc_v2(Pointer *address, size_t size) {
  *address = size > 0 ? (Pointer)malloc(4096) : 0;
  return size == 0;
}
int cuMemFree_v2(Pointer address) { free((void *)address); return 0; }
int cuMemcpyDtoDAsync_v2(Pointer target, Pointer source, size_t size, void *stream) {
  memcpy((void *)target, (void *)source, size);
  return stream != 0;
}
int cuMemsetD16Async(Pointer target, unsigned short value, size_t count, void *stream) {
  for (size_t each = 0; each < count; each += 1) ((unsigned short *)target)[each] = value;
  return stream != 0;
}
int cuMemsetD32Async(Pointer target, unsigned value, size_t count, void *stream) {
  for (size_t each = 0; each < count; each += 1) ((unsigned *)target)[each] = value;
  return stream != 0;
}
/* Of a launch the parameters are kept: what runs there is PTX. */
static Pointer launched[10];
Pointer told(int which) { return launched[which]; }
int cuModuleLoadData(void **module, const char *image) {
  *module = (void *)image;
  return strstr(image, ".visible .entry draw_8(") == 0;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = (void *)(Pointer)(name[5] - '0');
  return strncmp(name, "draw_", 5);
}
int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned b,
                   unsigned c, unsigned shared, void *stream, void **given, void **extra) {
  launched[0] = (Pointer)function;
  launched[1] = x;
  launched[2] = threads;
  for (int wide = 0; wide < 3; wide += 1) launched[3 + wide] = *(Pointer *)given[wide];
  for (int word = 3; word < 7; word += 1) launched[3 + word] = *(unsigned *)given[word];
  return y != 1 || z != 1 || b != 1 || c != 1 || shared != 0 || stream != 0 || extra != 0;
}
int cuMemcpyHtoD_v2(Pointer target, const void *source, size_t size) {
  memcpy((void *)target, source, size);
  return 0;
}
int cuMemcpyDtoH_v2(void *target, Pointer source, size_t size) {
  memcpy(target, (void *)source, size);
  return 0;
}
int cuMemsetD8Async(Pointer target, unsigned char value, size_t size, void *stream) {
  if (size <= 4096) memset((void *)target, value, size);
  if (size <= 4096) return stream != 0;
  flushed = size;
  flushes += 1;
  now += 0.2;
  return target == 0 || value != 0x5a || stream != 0;
}
int cuGetErrorName(int status, const char **name) {
  *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
  return status == 700 ? 0 : 1;
}
int cuProfilerStart(void) { markers += 1; return 0; }
int cuProfilerStop(void) { markers += 10; return 0; }
"""


class Driver(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = folder.name + "/libcuda.so"
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-x", "c", "-o", cls.path, "-"], input=LIBRARY.encode(), check=True
        )
        cls.library = ctypes.CDLL(cls.path)
        for name in ("work", "later"):
            getattr(cls.library, name).argtypes = (ctypes.c_double,)
        cls.library.asked.restype = ctypes.c_ulong
        cls.library.told.restype = ctypes.c_uint64

    def setUp(self):
        self.library.fail(0)
        self.gpu = Gpu(self.path)

    def test_what_counts_between_begin_and_end(self):
        cases = (
            ("nothing", (), 0),
            ("work of the stream", (("work", 1.5),), 1.5e6),
            ("work that the last event does not wait for", (("work", 1.0), ("later", 0.5)), 1.5e6),
            ("the end of a wait, which hid nothing", (("work", 1.0), ("later", 0.01)), 1e6),
        )
        for what, works, expected in cases:
            with self.subTest(what):
                self.gpu.begin()
                for name, milliseconds in works:
                    getattr(self.library, name)(milliseconds)
                self.assertAlmostEqual(self.gpu.end(), expected, delta=100)

    def test_the_second_level_cache_is_overwritten_for_half_a_millisecond(self):
        before = self.library.asked(1)
        self.gpu.flush()
        self.assertEqual(self.library.asked(0), 2 * 300 << 20)
        self.assertEqual(self.library.asked(1) - before, 3)

    def test_whether_the_gpu_has_come_to_the_calls(self):
        self.gpu.begin()
        self.assertFalse(self.gpu.is_behind())
        self.library.work(0.1)
        self.assertTrue(self.gpu.is_behind())

    def test_contents_go_there_and_back(self):
        memory = ctypes.create_string_buffer(8)
        address = ctypes.addressof(memory)
        for content in (b"", b"12345678"):
            self.gpu.write(address, bytearray(content))
            self.assertEqual(self.gpu.read(address, len(content)), content)

    def test_a_pattern_fills_memory_of_any_size(self):
        cases = (
            ("a byte", 0x5A5A5A5A5A5A5A5A, 7),
            ("two bytes", 0xFFF5FFF5FFF5FFF5, 6),
            ("four bytes", 0xFFF5A5A5FFF5A5A5, 12),
            ("eight bytes", 0xFFF5A5A5A5A5A5A5, 24),
            ("a cut pattern", 0xFFF5A5A5FFF5A5A5, 7),
            ("nothing", 0x0102030405060708, 0),
        )
        for what, pattern, size in cases:
            with self.subTest(what):
                memory = ctypes.create_string_buffer(b"." * 32, 32)
                self.gpu.contents.repeat(ctypes.addressof(memory), size, pattern)
                expected = (pattern.to_bytes(8, "little") * 4)[:size]
                self.assertEqual(memory.raw, expected + b"." * (32 - size))

    def test_what_a_drawn_content_is_launched_with(self):
        self.gpu.contents.hold([Pool(1, bytearray(4)), Pool(4, bytearray(64))])
        self.gpu.contents.draw(4096, 4 * 300, Drawn(1, 0x0000000700000009, 255))
        pool = self.library.told(5)
        self.assertEqual(
            [self.library.told(which) for which in range(10)], [4, 2, 256, 4096, 300, pool, 15, 9, 7, 255]
        )
        self.assertEqual(ctypes.string_at(pool, 64), bytes(64))

    def test_copies_stay_when_memory_is_written_again(self):
        memory = ctypes.create_string_buffer(b"12345678", 8)
        copies = [self.gpu.contents.copied((0, place), ctypes.addressof(memory), 8) for place in range(2)]
        memory.raw = b"abcdefgh"
        again = self.gpu.contents.copied((0, 0), ctypes.addressof(memory), 4)
        self.assertEqual([bytes(self.gpu.read(copy, 8)) for copy in copies[1:]], [b"12345678"])
        self.assertEqual(self.gpu.read(again, 4), b"abcd")

    def test_tools_are_shown_what_to_look_at(self):
        before = self.library.asked(2)
        self.gpu.profile(True)
        self.gpu.profile(False)
        self.assertEqual(self.library.asked(2) - before, 11)

    def test_failures_have_the_names_of_the_driver(self):
        for status, named in ((700, "CUDA_ERROR_ILLEGAL_ADDRESS"), (5, "cuCtxSynchronize: 5")):
            self.library.fail(status)
            with self.assertRaisesRegex(DriverFailure, named):
                self.gpu.synchronize()


if __name__ == "__main__":
    unittest.main()
