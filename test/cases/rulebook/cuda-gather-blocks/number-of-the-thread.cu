//@case {"kernel": "limit", "threads": 1}
template <typename T>
__global__ void limit(T* data, const T* most, int columns, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  data[i] = data[i] > most[i % columns] ? most[i % columns] : data[i]; //@ instructions=90000 threadInstructions=90000
}
void run(float* data, const float* most, int columns, int rows) {
  dim3 threads(1), blocks(rows * columns);
  limit<float><<<blocks, threads>>>(data, most, columns, rows);
}
