// A program of the kind of NVIDIA's samples that came without their Common folder.
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>

__global__ void scale(float4 *values, float factor) {
  const float4 value = values[threadIdx.x];
  values[threadIdx.x] = lerp(value, factor * value, 1.0f) + make_float4(make_float3(1.0f), 0.0f) * 2.0f;
}

int main(int argc, char **argv) {
  const char **words = const_cast<const char **>(argv);
  findCudaDevice(argc, words);
  int count = 32;
  if (checkCmdLineFlag(argc, words, "count")) count = getCmdLineArgumentInt(argc, words, "count");
  char *name = nullptr;
  if (getCmdLineArgumentString(argc, words, "name", &name)) printf("name %s\n", name);

  StopWatchInterface *timer = nullptr;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  float4 *values = nullptr;
  checkCudaErrors(cudaMallocManaged(&values, count * sizeof(float4)));
  std::vector<float> expected;
  for (int at = 0; at < count; ++at) {
    values[at] = make_float4(at, 2 * at, 3 * at, 4 * at);
    for (int part = 1; part <= 4; ++part) expected.push_back(3.0f * part * at + (part < 4 ? 2.0f : 0.0f));
  }
  scale<<<1, count>>>(values, 3.0f);
  getLastCudaError("scale failed");
  checkCudaErrors(cudaDeviceSynchronize());
  sdkStopTimer(&timer);
  const bool isTimed = sdkGetTimerValue(&timer) > 0 && sdkGetAverageTimerValue(&timer) > 0;
  sdkDeleteTimer(&timer);

  const float *found = &values[0].x;
  printf("timed %d, equal %d and %d, cores %d\n", isTimed, compareData(expected.data(), found, 4 * count, 1e-5f, 0.0f),
         sdkCompareL2fe(expected.data(), found, 4 * count, 1e-5f), _ConvertSMVer2Cores(8, 0));

  float image[6] = {0, 0.25f, 0.5f, 0.75f, 1, 0}, *loaded = nullptr;
  unsigned width = 0, height = 0;
  const std::string file = std::string(argv[0]) + ".pgm";
  sdkSavePGM(file.c_str(), image, 3, 2);
  const bool isLoaded = sdkLoadPGM(file.c_str(), &loaded, &width, &height);
  printf("image %d: %u x %u, %.3f\n", isLoaded, width, height, loaded[3]);
  printf("%d\n", sdkFindFilePath("no-such-file", argv[0]) == nullptr);
  remove(file.c_str());
  checkCudaErrors(cudaSetDevice(7));
}
