//@case {"kernel": "gather"}
__global__ void gather(const float* table, const int* rows, float* y, size_t count, size_t width) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;  //@ instructions=9000
  if (i >= count) return;
  const float* row = table + rows[i] * width;
  y[i] = row[0];
}
void run(const float* table, const int* rows, float* y, size_t count, size_t width) {
  gather<<<(count + 255) / 256, 256>>>(table, rows, y, count, width);
}
