//@case {"kernel": "settle"}
#define CELL(a, l, r, c) (a)[((l) * box.rows + (r)) * box.columns + (c)]
struct Box { int columns, rows, layers; };
__global__ void settle(const float* __restrict__ dust, float* __restrict__ next, const Box box) {
  const int l = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.z * blockDim.z + threadIdx.z;
  if (l >= box.layers || r >= box.rows || c >= box.columns) return;
  const float here = CELL(dust, l, r, c);  //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512 globalLoadRequests=128
  const float above = l + 1 < box.layers ? CELL(dust, l + 1, r, c) : 0.0f;  //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512 globalLoadRequests=128
  CELL(next, l, r, c) = here + 0.25f * (above - here);
}
void run(const float* dust, float* next, const Box* box) {
  dim3 threads(32, 8, 1);
  dim3 blocks((box->layers + threads.x - 1) / threads.x, (box->rows + threads.y - 1) / threads.y,
              (box->columns + threads.z - 1) / threads.z);
  settle<<<blocks, threads>>>(dust, next, *box);
}
