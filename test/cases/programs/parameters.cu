// Kernel parameters that are read by address: indexed at run time, through generic pointers, in other functions.
#include <cstdio>
struct Settings { int table[16]; float4 weights[4]; int* out; };
__device__ __noinline__ int at(const Settings* settings, int index) { return settings->table[index]; }
__device__ __noinline__ int outside(const Settings& settings, int index) { return __isGlobal(&settings) ? -1 : settings.table[index]; }
__global__ void indexed(const __grid_constant__ Settings settings, int step) { settings.out[threadIdx.x] = settings.table[(threadIdx.x * step) % 16]; }
__global__ void pointed(const __grid_constant__ Settings settings, bool copied) {
  Settings copy;
  for (int i = 0; i < 16; i++) copy.table[i] = i;
  const Settings* chosen = copied ? &copy : &settings;
  int thread = threadIdx.x;
  settings.out[thread] = at(chosen, thread % 16) + outside(settings, thread / 2);
  settings.out[thread + 32] = __isGridConstant(&settings) + 2 * __isGridConstant(&copy) + 4 * __isLocal(&settings) + 8 * __isShared(&settings) + 16 * __isConstant(&settings);
  settings.out[thread + 64] = (int)settings.weights[thread % 4].y;
}
static void print(const char* name, const int* values, int count) {
  printf("%s", name);
  for (int i = 0; i < count; i++) printf(" %d", values[i]);
  printf("\n");
}
int main() {
  Settings settings;
  for (int i = 0; i < 16; i++) settings.table[i] = i * i;
  for (int i = 0; i < 4; i++) settings.weights[i] = make_float4(i, 10 * i, 0, 0);
  cudaMallocManaged(&settings.out, 96 * sizeof(int));
  indexed<<<1, 32>>>(settings, 3);
  cudaDeviceSynchronize();
  print("indexed", settings.out, 32);
  for (int copied = 0; copied < 2; copied++) {
    pointed<<<2, 32>>>(settings, copied != 0);
    cudaDeviceSynchronize();
    print(copied ? "copied" : "pointed", settings.out, 32);
    print("spaces", settings.out + 32, 4);
    print("weights", settings.out + 64, 4);
  }
  cudaFree(settings.out);
  return 0;
}
