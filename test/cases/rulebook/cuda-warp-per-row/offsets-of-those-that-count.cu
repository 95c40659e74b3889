//@case {"kernel": "starts", "spec": {"run": {"kind": "launch", "launch": {"block": [128], "grid": ["ceil(rows / 128)"], "arguments": ["x"]}}}}
// The sum grows on a condition, and its last value goes behind the row.
__global__ void starts(const int* length, const unsigned char* kept, unsigned int* begin, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    unsigned int sum = 0;
    for (int i = 0; i < n; i++) {
      begin[row * (n + 1) + i] = sum; //@ globalStoreSectors=8192 globalStoreSectorsIdeal=1024
      if (kept[row * n + i] != 0) sum += length[row * n + i]; //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
    }
    begin[row * (n + 1) + n] = sum;
  }
}
void run(const int* length, const unsigned char* kept, unsigned int* begin, int rows, int n) {
  starts<<<(rows + 127) / 128, 128>>>(length, kept, begin, rows, n);
}
