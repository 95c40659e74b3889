// Device code that the program compiles and launches itself: NVRTC and the driver API.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

static const char *const source = R"(
#include "scale.h"
__constant__ float offset;
template <typename T> __global__ void scale(T *values, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) values[index] = values[index] * SCALE + offset;
}
extern "C" __global__ void twice(float *values, int count) {
  if (threadIdx.x < count) values[threadIdx.x] *= 2;
}
)";

static std::string logOf(nvrtcProgram program) {
  size_t bytes = 0;
  nvrtcGetProgramLogSize(program, &bytes);
  std::string log(bytes, '\0');
  nvrtcGetProgramLog(program, &log[0]);
  return log.c_str();
}

/** What a program's code is for, by its PTX, when it is asked for so. */
static void askFor(const char *architecture) {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, "extern \"C\" __global__ void number(int *out) { *out = __CUDA_ARCH__; }", "number.cu", 0, nullptr, nullptr);
  const nvrtcResult compiled = nvrtcCompileProgram(program, 1, &architecture);
  size_t bytes = 0;
  nvrtcGetPTXSize(program, &bytes);
  std::string ptx(bytes, '\0');
  if (bytes > 0) nvrtcGetPTX(program, &ptx[0]);
  const size_t at = ptx.find(".target ");
  const std::string target = at == std::string::npos ? "" : ptx.substr(at, ptx.find_first_of(",\n", at) - at);
  std::printf("%s: %s %s%s\n", architecture, nvrtcGetErrorString(compiled), target.c_str(), logOf(program).c_str());
  nvrtcDestroyProgram(&program);
}

int main() {
  for (const char *each : {"-arch=sm_90a", "-arch=compute_75", "--gpu-architecture=sm_12"}) askFor(each);
  const char *header = "#define SCALE 3\n", *headerName = "scale.h";
  nvrtcProgram program;
  nvrtcCreateProgram(&program, source, "scale.cu", 1, &header, &headerName);
  nvrtcAddNameExpression(program, "scale<float>");
  nvrtcAddNameExpression(program, "&offset");
  const char *options[] = {"--gpu-architecture=compute_90", "--std=c++17"};
  const nvrtcResult compiled = nvrtcCompileProgram(program, 2, options);
  std::printf("%s%s\n", nvrtcGetErrorString(compiled), logOf(program).c_str());
  size_t bytes = 0;
  nvrtcGetPTXSize(program, &bytes);
  std::vector<char> ptx(bytes);
  nvrtcGetPTX(program, ptx.data());
  const char *kernelName = nullptr, *offsetName = nullptr;
  nvrtcGetLoweredName(program, "scale<float>", &kernelName);
  nvrtcGetLoweredName(program, "&offset", &offsetName);
  std::printf("%s %s\n", kernelName, offsetName);

  CUdevice device;
  CUcontext context;
  CUctxCreateParams parameters = {};
  std::printf("before cuInit: %d\n", cuDeviceGet(&device, 0));
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, &parameters, 0, device);
  CUmodule module;
  CUfunction scale, twice;
  CUlinkState linker;
  void *image = nullptr;
  const int created = cuLinkCreate(0, nullptr, nullptr, &linker);
  const int added = cuLinkAddData(linker, CU_JIT_INPUT_PTX, ptx.data(), ptx.size(), "scale", 0, nullptr, nullptr);
  std::printf("link: %d %d %d\n", created, added, cuLinkComplete(linker, &image, &bytes));
  std::printf("load: %d\n", cuModuleLoadDataEx(&module, image, 0, nullptr, nullptr));
  cuLinkDestroy(linker);
  std::printf("kernels: %d %d\n", cuModuleGetFunction(&scale, module, kernelName), cuModuleGetFunction(&twice, module, "twice"));
  CUdeviceptr offset, values;
  cuModuleGetGlobal(&offset, &bytes, module, offsetName);
  const float half = 0.5f;
  cuMemcpyHtoD(offset, &half, bytes);
  float numbers[4] = {1, 2, 3, 4};
  int count = 4;
  cuMemAlloc(&values, sizeof numbers);
  cuMemcpyHtoD(values, numbers, sizeof numbers);
  void *arguments[] = {&values, &count};
  std::printf("launch: %d\n", cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  struct {
    CUdeviceptr values;
    int count;
  } block = {values, count};
  size_t size = sizeof block;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  std::printf("launch: %d\n", cuLaunchKernel(twice, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  cuMemcpyDtoH(numbers, values, sizeof numbers);
  std::printf("%g %g %g %g\n", numbers[0], numbers[1], numbers[2], numbers[3]);
  int resident = 0;
  cuOccupancyMaxActiveBlocksPerMultiprocessor(&resident, scale, 1024, 0);
  const char *name = nullptr;
  cuGetErrorName(cuModuleGetFunction(&scale, module, "none"), &name);
  std::printf("%d resident, %s\n", resident, name);

  nvrtcProgram wrong;
  nvrtcCreateProgram(&wrong, "__global__ void wrong() { int x = y; }\n", "wrong.cu", 0, nullptr, nullptr);
  std::printf("%s\n", nvrtcGetErrorString(nvrtcCompileProgram(wrong, 0, nullptr)));
  std::printf("%s\n", logOf(wrong).c_str());

  // What a build of this program would have made beside it.
  char begin[8] = {};
  std::FILE *text = std::fopen("./shift-kernel.ptx", "rb");
  std::ifstream stream("shift-kernel.sm_80.cubin", std::ios::binary);
  const bool isText = text != nullptr && std::fread(begin, 1, 2, text) == 2;
  std::printf("files: %d %s %d\n", isText, begin, stream.good());
  if (text != nullptr) std::fclose(text);
  std::printf("load: %d %d\n", cuModuleLoad(&module, "shift-kernel64.fatbin"), cuModuleLoad(&module, "none.ptx"));
  CUfunction shift;
  cuModuleGetFunction(&shift, module, "shift");
  std::printf("launch: %d\n", cuLaunchKernel(shift, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  cuMemcpyDtoH(numbers, values, sizeof numbers);
  std::printf("%g %g %g %g\n", numbers[0], numbers[1], numbers[2], numbers[3]);
  const char *including = "#include \"shift-kernel.cu\"\n";
  nvrtcProgram named;
  nvrtcCreateProgram(&named, including, "./including.cu", 0, nullptr, nullptr);
  std::printf("%s\n", nvrtcGetErrorString(nvrtcCompileProgram(named, 0, nullptr)));
  nvrtcDestroyProgram(&named);
  cuMemFree(values);
  cuCtxDestroy(context);
  nvrtcDestroyProgram(&wrong);
  nvrtcDestroyProgram(&program);
}
