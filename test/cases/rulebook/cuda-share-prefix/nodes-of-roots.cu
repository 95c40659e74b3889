//@case {"kernel": "uptake", "spec": {"run": {"kind": "launch", "launch": {"block": [256], "arguments": ["flux", "dz", "sums", {"value": "roots", "dtype": "int32"}, {"value": "nodes", "dtype": "int32"}]}}, "shapes": [{"sizes": {"roots": 16, "nodes": 512}}]}}
__global__ void uptake(const float* flux, const float* dz, float* sums, int roots, int nodes) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= roots * nodes) return;
  int root = idx / nodes;
  int node = idx - root * nodes;
  float acc = 0.f;
  for (int k = 0; k <= node; k++) { //@ instructions=90000
    acc += flux[root * nodes + k] * dz[k]; //@ instructions=90000
  }
  sums[idx] = acc;
}
