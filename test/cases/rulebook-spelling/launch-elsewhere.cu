//@case {"kernel": "fade", "spec": {"run": {"kind": "launch", "launch": {"grid": ["ceil_div(n, 32)"], "block": [32], "arguments": ["x", {"value": "n", "dtype": "int32"}]}}, "origins": {"launch.grid": "probed", "launch.block": "probed"}}}
__global__ void fade(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 0.5f;
}
#define START(name, ...) cuLaunchKernel(find(#name), __VA_ARGS__)
void run(void** given) { START(fade, 1, 1, 1, 32, 1, 1, 0, 0, given, 0); }
