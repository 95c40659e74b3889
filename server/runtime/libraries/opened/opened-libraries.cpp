// NVIDIA's libraries as programs open them while they run: the program itself holds ours, and exports them.
#include <dlfcn.h>

#include <string>

namespace kernelwright::opened {
namespace {

/** A library, and a function by which one sees that ours is there. */
struct Library {
  const char *file;
  const char *function;
};

const Library libraries[] = {
    {"libcuda.so", "cuInit"},
    {"libnvrtc.so", "nvrtcVersion"},
    {"libcublas.so", "cublasCreate_v2"},
    {"libcublasLt.so", "cublasLtCreate"},
    {"libcufft.so", "cufftPlan1d"},
    {"libcurand.so", "curandCreateGenerator"},
    {"libcusparse.so", "cusparseCreate"},
};

/** The function to look for where a path names one of the libraries, with a version or without. */
const char *functionOf(const std::string &path) {
  const std::string file = path.substr(path.rfind('/') + 1);
  for (const Library &library : libraries) {
    const std::string name = library.file;
    if (file == name || file.rfind(name + ".", 0) == 0) return library.function;
  }
  return nullptr;
}

} // namespace
} // namespace kernelwright::opened

// It stands before the C library's.
extern "C" void *dlopen(const char *path, int mode) noexcept {
  using Open = void *(*)(const char *, int);
  static const Open open = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
  const char *function = path == nullptr ? nullptr : kernelwright::opened::functionOf(path);
  if (function == nullptr) return open(path, mode);
  void *own = open(nullptr, RTLD_NOW);
  return own != nullptr && dlsym(own, function) != nullptr ? own : open(path, mode);
}
