//@case {"kernel": "noise", "spec": {"run": {"kind": "launch", "launch": {"grid": ["8", "1", "1"], "block": ["128", "1", "1"], "arguments": ["texture", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 262144}}]}}
__global__ void noise(float* texture, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    texture[i] = __sinf(i * 0.37f); //@ instructions=90000 globalStoreRequests=8192 globalStoreSectors=32768
}
void run(float* texture, int n) { noise<<<8, 128>>>(texture, n); }
