//@case {"kernel": "scale", "spec": {"run": {"kind": "launch", "launch": {"block": [16, 16], "arguments": []}}}}
extern "C" __global__ __launch_bounds__(256) void scale(float* data, int rows, int columns) {
  int row = blockIdx.x * 16 + threadIdx.x, column = blockIdx.y * 16 + threadIdx . y;
  if (row < rows && column < columns) data[row * columns + column] *= 2.0f;  //@ globalLoadSectors=100 globalLoadSectorsIdeal=25 globalStoreSectors=200 globalStoreSectorsIdeal=25
}
