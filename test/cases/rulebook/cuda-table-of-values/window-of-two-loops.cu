//@case {"kernel": "ripple", "spec": {"run": {"kind": "launch", "launch": {"block": [32, 8], "arguments": ["x", "y", {"value": "w", "dtype": "int32"}, {"value": "h", "dtype": "int32"}, {"value": 2.5, "dtype": "float32"}, {"value": 6.5, "dtype": "float32"}, {"value": "reach", "dtype": "int32"}]}}, "shapes": [{"sizes": {"w": 512, "h": 512, "reach": 7}}]}}
// A product of two such values is one value, and the image has a border.
__global__ void ripple(const float* x, float* y, int w, int h, float width, float period, int reach) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= w || row >= h) return;
  float sum = 0.f;
  for (int down = -reach; down <= reach; ++down) {
    if (row + down < 0 || row + down >= h) continue;
    for (int across = -reach; across <= reach; ++across) {
      if (column + across < 0 || column + across >= w) continue;
      float near = expf(-(down * down + across * across) / (2.f * width * width)); //@ instructions=9000
      float wave = cosf(6.2831853f * across / period); //@ instructions=9000
      float weight = near * wave;
      sum += weight * x[(row + down) * w + column + across];
    }
  }
  y[row * w + column] = sum;
}
