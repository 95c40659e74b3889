// Two files of the same name with variables, functions and kernels of the same names that each keeps to itself.
#include "../check.h"

int outer();
int inner();
void setOuter(int value);
int host();

static __device__ int own = 1;
namespace {
__device__ int hidden = 2;
__device__ int helper() { return 10 * own + hidden; }
__global__ void run(int *out) { *out = helper(); }
} // namespace

static int here() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  run<<<1, 1>>>(out);
  finish("run");
  const int value = read(out);
  cudaFree(out);
  return value;
}

int main() {
  CHECK("here", here(), 12);
  CHECK("outer", outer(), 34);
  CHECK("inner", inner(), 56);
  setOuter(9);
  const int value = 8;
  cudaMemcpyToSymbol(hidden, &value, sizeof value);
  CHECK("here", here(), 18);
  CHECK("outer", outer(), 94);
  CHECK("inner", inner(), 56);
  CHECK("host", host(), 77);
  return 0;
}
