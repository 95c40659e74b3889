"""Times and contents by a driver. A library in the place of libcuda.so.1 has the types that NVIDIA documents,
memory of this process, and a clock that work moves on: what stands on it is calculated by hand.
"""

import ctypes
import subprocess
import tempfile
import unittest

import paths  # noqa: F401
from kernelwright_worker.timed.gpu import DriverFailure, Gpu

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
  *address = size > 0 ? (Pointer)malloc(64) : 0;
  return size == 0;
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
