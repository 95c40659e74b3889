//@case {"kernel": "centroid"}
#define NT 128
__global__ void centroid(const float* px, const float* py, int n, float3* partial, int* seen) {
  __shared__ float sx[NT], sy[NT];
  __shared__ int sc[NT];
  const int t = threadIdx.x, i = blockIdx.x * NT + t;
  const bool in = i < n;
  sx[t] = in ? px[i] : 0.0f; //@ instructions=2000
  sy[t] = in ? py[i] : 0.0f;
  sc[t] = in;
  __syncthreads();
  if (t == 0) {
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    int count = 0, last = -1;
    for (int k = 0; k < NT; ++k) {
      sum.x += sx[k]; //@ instructions=6000
      sum.y += sy[k];
      count += sc[k];
      last = max(last, sc[k] * k);
    }
    sum.z = count > 0 ? last : 0;
    partial[blockIdx.x] = sum;
    seen[blockIdx.x] = count;
  }
}
void run(const float* px, const float* py, int n, float3* partial, int* seen) {
  centroid<<<(n + NT - 1) / NT, NT>>>(px, py, n, partial, seen);
}
