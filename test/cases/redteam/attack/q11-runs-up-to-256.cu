// task: entry-q01-runs
// source: q
// does: looks back 256 places at most for the start of a run, which numbers of three values never need; a blank line of an image does
// caught by: wrong values

__global__ void runs(const int* x, int* length, int rows, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  const int* row = x + (size_t)blockIdx.y * columns;
  int own = row[c], run = 1;
  while (run <= c && run < 256 && row[c - run] == own) ++run;
  length[(size_t)blockIdx.y * columns + c] = run;
}

void lengths_of(const int* x, int* length, int rows, int columns) {
  runs<<<dim3((columns + 127) / 128, rows), 128>>>(x, length, rows, columns);
}
