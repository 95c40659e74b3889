//@case {"kernel": "edges"}
__global__ void edges(const float3* p, float* length, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float dx = p[i + 1].x - p[i].x; //@ globalLoadSectors=768 globalLoadSectorsIdeal=256
    float dy = p[i + 1].y - p[i].y; //@ globalLoadSectors=768 globalLoadSectorsIdeal=256
    length[i] = sqrtf(dx * dx + dy * dy);
  }
}
void run(const float3* p, float* length, int n) { edges<<<(n + 127) / 128, 128>>>(p, length, n); }
