//@case {"kernel": "halve", "rules": ["cuda-vectorize-threads"], "spec": {"launch": {"arguments": ["src", "dst", {"value": "n", "dtype": "int32"}]}, "inputs": {"src": {"dtype": "int16", "shape": ["n"]}}, "outputs": {"dst": {"dtype": "int16", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 8192}}, {"sizes": {"n": 1027}}, {"sizes": {"n": 3}}], "reference": {"expressions": {"dst": "src // 2 * 2"}}}}
typedef short pixel;

__global__ void halve(pixel const *src, pixel *dst, int n) {
  int const at = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (at < n) { dst[at] = src[at] & ~1; }
}

void run(pixel const *src, pixel *dst, int n) {
  dim3 const block = dim3(256);
  dim3 const grid = dim3((n + block.x - 1) / block.x);
  halve<<<grid, block>>>(src, dst, n);
}
