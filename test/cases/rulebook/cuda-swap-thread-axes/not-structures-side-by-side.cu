//@case {"kernel": "relax", "spec": {"run": {"kind": "launch", "launch": {"block": [16, 16], "arguments": []}}}}
struct Cell { float flows[9]; };

__global__ void relax(Cell* cells, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  Cell& cell = cells[y * width + x];
  for (int way = 0; way < 9; ++way)
    cell.flows[way] *= 0.5f;  //@ globalLoadRequests=512 globalLoadSectors=4608 globalLoadSectorsIdeal=2048
}
