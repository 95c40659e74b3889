//@case {"kernel": "shift"}
struct Point { float x, y, z, weight; };
__global__ void shift(Point* points, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) points[i].x += by;  //@ globalLoadSectors=16384 globalLoadSectorsIdeal=4096 globalStoreSectors=16384 globalStoreSectorsIdeal=4096
}
