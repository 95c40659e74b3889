//@case {"kernel": "product"}
#define UP(n, m) (((n) + (m) - 1) / (m))

template <int SIDE>
__global__ void product(int rows, int columns, int depth, const float* a, const float* b, float* c) {
  __shared__ float as[SIDE * SIDE];
  __shared__ float bs[SIDE * SIDE];
  const int t = threadIdx.x;
  const int tc = t % SIDE, tr = t / SIDE;
  int place = blockIdx.y * SIDE;
  place += tr;
  float sum = 0.0f;
  for (int first = 0; first < depth; first += SIDE) {
    as[t] = a[place * depth + first + tc];
    bs[tr * SIDE + tc] = b[(first + tr) * columns + blockIdx.x * SIDE + tc];
    __syncthreads();
    for (int k = 0; k < SIDE; ++k) sum += as[tr * SIDE + k] * bs[k * SIDE + tc];
    __syncthreads();
  }
  const int at = place * columns + tc;
  c[at + blockIdx.x * SIDE] = sum;
}

void run(int rows, int columns, int depth, const float* a, const float* b, float* c) {
  product<16><<<dim3(UP(columns, 16), UP(rows, 16)), 16 * 16>>>(rows, columns, depth, a, b, c);
}
