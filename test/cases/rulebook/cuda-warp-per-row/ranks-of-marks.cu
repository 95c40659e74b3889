//@case {"kernel": "ranks", "spec": {"run": {"kind": "launch", "launch": {"block": [128], "grid": ["ceil(rows / 128)"], "arguments": ["x"]}}}}
// The rank of each mark; the one before the first is stored in front of the loop.
__global__ void ranks(const int* marks, int* rank, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int seen = 0;
  rank[row * (n + 1)] = 0;
  for (int i = 0; i < n; i++) {
    if (marks[row * n + i] > 0) { //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
      ++seen;
    }
    rank[row * (n + 1) + i + 1] = seen; //@ globalStoreSectors=8192 globalStoreSectorsIdeal=1024
  }
}
void run(const int* marks, int* rank, int rows, int n) { ranks<<<(rows + 127) / 128, 128>>>(marks, rank, rows, n); }
