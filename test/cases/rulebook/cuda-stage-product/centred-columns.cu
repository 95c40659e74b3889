//@case {"kernel": "covariance", "launches": [{"kernel": "covariance", "grid": [63, 188, 1], "block": [16, 16, 1]}]}
// Covariances between the columns of two panels, each less its mean.
struct Panel {
  int days, left, right;
};

__global__ void covariance(const float* __restrict__ x, const float* __restrict__ y, const float* __restrict__ meanX,
                           const float* __restrict__ meanY, float* __restrict__ out, Panel panel) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= panel.right || i >= panel.left) return;
  const float mx = meanX[i];
  const float my = meanY[j];
  float sum = 0.0f;
  for (int day = 0; day < panel.days; ++day) {
    const float a = x[(size_t)day * panel.left + i] - mx;  //@ globalLoadRequests=100000 globalLoadSectors=200000 globalLoadSectorsIdeal=200000
    const float b = y[(size_t)day * panel.right + j] - my;  //@ globalLoadRequests=100000 globalLoadSectors=400000 globalLoadSectorsIdeal=400000
    sum += a * b;
  }
  out[(size_t)i * panel.right + j] = sum / (float)(panel.days - 1);
}

void run(const float* x, const float* y, const float* meanX, const float* meanY, float* out, Panel panel) {
  dim3 block(16, 16);
  dim3 grid((panel.right + 15) / 16, (panel.left + 15) / 16);
  covariance<<<grid, block>>>(x, y, meanX, meanY, out, panel);
}
