// Finds the driver and NVRTC by name while it runs, without their headers.
#include <dlfcn.h>

#include <cstdio>
#include <vector>

static const char *const ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 data) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  shl.b32 %r2, %r2, 1;
  st.global.u32 [%rd3], %r2;
  ret;
})";

typedef unsigned long long address;

template <typename Function> static Function of(void *library, const char *name) {
  Function found = reinterpret_cast<Function>(dlsym(library, name));
  if (found == nullptr) std::printf("no %s\n", name);
  return found;
}

int main() {
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver == nullptr) return std::printf("no driver: %s\n", dlerror()), 1;
  int count = 0, device = 0;
  void *context = nullptr, *module = nullptr, *kernel = nullptr;
  std::printf("init: %d\n", of<int (*)(unsigned)>(driver, "cuInit")(0));
  of<int (*)(int *)>(driver, "cuDeviceGetCount")(&count);
  of<int (*)(int *, int)>(driver, "cuDeviceGet")(&device, 0);
  std::printf("devices: %d\n", count);
  of<int (*)(void **, unsigned, int)>(driver, "cuCtxCreate_v2")(&context, 0, device);
  std::printf("load: %d\n", of<int (*)(void **, const void *)>(driver, "cuModuleLoadData")(&module, ptx));
  of<int (*)(void **, void *, const char *)>(driver, "cuModuleGetFunction")(&kernel, module, "twice");

  // Of a name that has several forms the one of this version.
  typedef int (*Lookup)(const char *, void **, int, unsigned long long, int *);
  const Lookup lookup = of<Lookup>(driver, "cuGetProcAddress_v2");
  void *allocate = nullptr, *none = nullptr;
  int found = 7;
  std::printf("lookup: %d", lookup("cuMemAlloc", &allocate, 12000, 0, nullptr));
  std::printf(", %d\n", lookup("cuNothing", &none, 12000, 0, &found));
  std::printf("found: %d %d\n", found, none != nullptr);

  address values = 0;
  std::vector<unsigned> numbers = {1, 2, 3, 4};
  reinterpret_cast<int (*)(address *, size_t)>(allocate)(&values, 16);
  of<int (*)(address, const void *, size_t)>(driver, "cuMemcpyHtoD_v2")(values, numbers.data(), 16);
  void *arguments[] = {&values};
  typedef int (*Launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                        void **);
  std::printf("launch: %d\n",
              of<Launch>(driver, "cuLaunchKernel")(kernel, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  of<int (*)(void *, address, size_t)>(driver, "cuMemcpyDtoH_v2")(numbers.data(), values, 16);
  std::printf("%u %u %u %u\n", numbers[0], numbers[1], numbers[2], numbers[3]);

  void *compiler = dlopen("libnvrtc.so.13", RTLD_NOW);
  int major = 0, minor = 0;
  if (compiler != nullptr) of<int (*)(int *, int *)>(compiler, "nvrtcVersion")(&major, &minor);
  std::printf("compiler: %d\n", major);
  std::printf("others: %d %d\n", dlopen("libnowhere.so.1", RTLD_NOW) != nullptr, dlopen("libm.so.6", RTLD_NOW) != nullptr);
  dlclose(driver);
}
