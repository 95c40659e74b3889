//@case {"kernel": "square", "rules": ["cuda-vectorize-threads"], "spec": {"launch": {"arguments": ["v", {"value": "n", "dtype": "int32"}]}, "inputs": {"v": {"dtype": "float32", "shape": ["n"]}}, "outputs": {"v": {"dtype": "float32", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 8192}}, {"sizes": {"n": 1027}}, {"sizes": {"n": 3}}], "reference": {"expressions": {"v": "v * v"}}}}
#define GLOBAL_ID (blockIdx.x * blockDim.x + threadIdx.x)
#define BLOCK 256

__global__ void square(float* v, int n) {
  const unsigned int gid = GLOBAL_ID;
  if (gid < n) v[gid] *= v[gid];
}

void run(float* v, int n) { square<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(v, n); }
