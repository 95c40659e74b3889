// task: entry-rs08-clusters
// does: keeps the labels as bytes where they fit, and adds up each centre's points in a block of its own, four sums in a vector

template <typename Label>
__global__ void nearest(const float4* __restrict__ points, const float4* __restrict__ centres, Label* __restrict__ label, int n, int k) {
  __shared__ float4 tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = i < n ? points[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float least = INFINITY;
  int best = 0;
  for (int first = 0; first < k; first += 64) {
    __syncthreads();
    if (threadIdx.x < 64 && first + threadIdx.x < k) tile[threadIdx.x] = centres[first + threadIdx.x];
    __syncthreads();
    for (int c = 0; c < min(64, k - first); ++c) {
      float4 m = tile[c];
      float a = p.x - m.x, b = p.y - m.y, d = p.z - m.z, e = p.w - m.w;
      float distance = fmaf(e, e, fmaf(d, d, fmaf(b, b, a * a)));
      if (distance < least) {
        least = distance;
        best = first + c;
      }
    }
  }
  if (i < n) label[i] = (Label)best;
}

template <typename Label>
__global__ void move(const float4* __restrict__ points, const float4* __restrict__ centres, const Label* __restrict__ label, float4* __restrict__ moved, int n) {
  __shared__ float4 sums[8];
  __shared__ int counts[8];
  int c = blockIdx.x, count = 0;
  float4 s = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = threadIdx.x; i < n; i += 256)
    if (label[i] == (Label)c) {
      float4 p = points[i];
      s.x += p.x, s.y += p.y, s.z += p.z, s.w += p.w;
      ++count;
    }
  for (int step = 16; step; step /= 2) {
    s.x += __shfl_xor_sync(~0u, s.x, step);
    s.y += __shfl_xor_sync(~0u, s.y, step);
    s.z += __shfl_xor_sync(~0u, s.z, step);
    s.w += __shfl_xor_sync(~0u, s.w, step);
    count += __shfl_xor_sync(~0u, count, step);
  }
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = s, counts[threadIdx.x / 32] = count;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < 8; ++w) {
    s.x += sums[w].x, s.y += sums[w].y, s.z += sums[w].z, s.w += sums[w].w;
    count += counts[w];
  }
  moved[c] = count > 0 ? make_float4(s.x / count, s.y / count, s.z / count, s.w / count) : centres[c];
}

template <typename Label>
void step(const float* points, const float* centres, float* moved, int n, int k) {
  Label* label;
  cudaMalloc(&label, sizeof(Label) * n);
  nearest<<<(n + 127) / 128, 128>>>((const float4*)points, (const float4*)centres, label, n, k);
  move<<<k, 256>>>((const float4*)points, (const float4*)centres, label, (float4*)moved, n);
  cudaFree(label);
}

void move_centres(const float* points, const float* centres, float* moved, int n, int k) {
  if (k <= 256)
    step<unsigned char>(points, centres, moved, n, k);
  else
    step<int>(points, centres, moved, n, k);
}
