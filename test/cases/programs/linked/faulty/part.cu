static __device__ int table[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

__device__ int lookedUp(int at) {
  return table[at] * 2;
}

__global__ void change(int at) { table[at] = at; }
