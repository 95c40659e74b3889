//@case {"kernel": "clear", "spec": {"run": {"kind": "launch", "launch": {"grid": [32], "block": [128], "arguments": []}}}}
__global__ void clear(int *out, int n) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = 0;  //@ instructions=4000 globalStoreRequests=1000 globalBytesRequested=128000
}
