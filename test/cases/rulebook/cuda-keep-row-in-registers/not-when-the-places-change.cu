//@case {"kernel": "twice", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["s", "o", {"value": "rows", "dtype": "int32"}, {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"rows": 64, "n": 250}}]}}
__global__ void twice(const float* s, float* o, int rows, int n) {
  __shared__ int from[4];
  const int warp = threadIdx.y, lane = threadIdx.x;
  const int row = blockIdx.x * 4 + warp;
  if (lane == 0) from[warp] = row * n;
  __syncwarp();
  float sum = 0.f;
  for (int b = lane; b < n; b += 32) sum += s[from[warp] + b]; //@ globalLoadSectors=2000 globalLoadRequests=500
  __syncwarp();
  if (lane == 0) from[warp] = (rows - 1 - row) * n;
  __syncwarp();
  for (int b = lane; b < n; b += 32) sum -= 2.f * s[from[warp] + b]; //@ globalLoadSectors=2000 globalLoadRequests=500
  o[row * 32 + lane] = sum;
}
void run(const float* s, float* o, int rows, int n) { twice<<<rows / 4, dim3(32, 4)>>>(s, o, rows, n); }
