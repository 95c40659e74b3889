//@case {"kernel": "heights", "spec": {"run": {"kind": "launch", "launch": {"block": [64, 4], "arguments": ["thickness", "height", {"value": "columns", "dtype": "int32"}, {"value": "layers", "dtype": "int32"}]}}, "shapes": [{"sizes": {"columns": 16, "layers": 512}}]}}
__global__ void heights(const float* thickness, float* height, int columns, int layers) {
  const int layer = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (layer < layers && column < columns) {
    const float* own = thickness + column * layers;
    float below = 0.f;
    int filled = 0;
    for (int k = 0; k < layer; ++k) { //@ instructions=90000
      below += own[k]; //@ instructions=90000
      filled += own[k] > 0.f; //@ instructions=90000
    }
    height[column * layers + layer] = filled > 0 ? below + 0.5f * own[layer] : 0.f;
  }
}
