//@case {"kernel": "pose"}
constexpr int N = 4;
// Multiplies the joints' matrices of each robot.
__global__ void pose(const float* joints, float* tool, int robots, int count) {
  const int robot = blockIdx.x * blockDim.x + threadIdx.x;
  if (robot >= robots) return;
  float m[N][N];  //@ localRequests=4096
  float next[N][N];
  #pragma unroll 2
  for (int r = 0; r < N; r++)
    for (int c = 0; c < N; c++) m[r][c] = r == c;
  for (int j = 0; j < count; ++j) {
    const float* joint = joints + (robot * count + j) * N * N;
    for (int r = 0; r < N; r++)
      for (int c = 0; c < N; c++) {
        next[r][c] = 0.0f;
        #pragma nounroll
        for (int k = 0; k < N; ++k) next[r][c] += m[r][k] * joint[N * k + c];
      }
    for (int e = 0; e < N * N; e += N)
      for (int c = 0; c < N; c++) m[e / N][c] = next[e / N][c];
  }
  for (int r = 0; r < N; r++) tool[robot * N + r] = m[r][N - 1];
}
