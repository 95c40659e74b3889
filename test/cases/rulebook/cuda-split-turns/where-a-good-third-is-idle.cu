//@case {"kernel": "overlap", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": []}}, "outputs": {"c": {"dtype": "float32", "shape": [128, 128]}}}, "launches": [{"kernel": "overlap", "blocks": 64, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 2048, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
typedef float scalar;
constexpr int Side = 16;
__global__ void overlap(const scalar* basis, const scalar* other, scalar* c, int points, int states) {
  __shared__ float mine[Side][Side];
  __shared__ float theirs[Side][Side];
  const int j = threadIdx.x, i = threadIdx.y;
  float sum = 0;
  for (int p = 0; p < points; p += Side) { //@ instructions=9000000
    mine[i][j] = p + i < points ? basis[(p + i) * states + blockIdx.y * Side + j] : 0.0f;
    theirs[i][j] = p + i < points ? other[(p + i) * states + blockIdx.x * Side + j] : 0.0f;
    __syncthreads();
    for (int q = 0; q < Side; ++q) sum += mine[q][i] * theirs[q][j];
    __syncthreads();
  }
  c[(blockIdx.y * Side + i) * states + blockIdx.x * Side + j] = sum;
}
void run(const scalar* basis, const scalar* other, scalar* c, int points, int states) {
  dim3 block(Side, Side);
  dim3 grid(states / Side, states / Side);
  overlap<<<grid, block>>>(basis, other, c, points, states);
}
