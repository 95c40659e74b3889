//@case {"kernel": "advantages"}
// Advantages from the last step to the first; what stands behind the end of each row comes from memory.
__global__ void advantages(const float* reward, const float* value, const float* behind, float* out,
                           float* first, float discount, int steps, int rows) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float next = behind[r], sum = 0.0f;
    for (int t = steps - 1; t >= 0; t--) {
      const float v = value[r * steps + t]; //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512
      sum = reward[r * steps + t] + discount * next - v + 0.9f * discount * sum; //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512
      next = v;
      out[r * steps + t] = sum; //@ globalStoreSectors=4096 globalStoreSectorsIdeal=512
    }
    first[r] = sum;
  }
}
void run(const float* reward, const float* value, const float* behind, float* out, float* first, float discount,
         int steps, int rows) {
  advantages<<<(rows + 63) / 64, 64>>>(reward, value, behind, out, first, discount, steps, rows);
}
