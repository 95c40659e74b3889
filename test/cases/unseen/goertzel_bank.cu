// DTMF / tone detector: energy of selected DFT bins for each frame.
// frames: (n_frames, N) float, twiddle: N interleaved (cos, -sin) of the full circle, N a power of two.
#include <cuda_runtime.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>

#define N 1024
#define THREADS 256

__global__ void tone_energy(const float* frames, const float2* twiddle, const int* bins, float* energy, int n_bins)
{
  __shared__ float re[THREADS];
  __shared__ float im[THREADS];
  const int frame = blockIdx.y;
  const int bin = bins[blockIdx.x];
  const float* x = frames + frame * N;

  float a = 0.0f, b = 0.0f;
  for (int n = threadIdx.x; n < N; n += THREADS) {
    const float2 w = twiddle[(n * bin) & (N - 1)];
    a += x[n] * w.x;
    b += x[n] * w.y;
  }
  re[threadIdx.x] = a;
  im[threadIdx.x] = b;
  __syncthreads();

  if (threadIdx.x == 0) {
    float sr = 0.0f, si = 0.0f;
    for (int t = 0; t < THREADS; ++t) {
      sr += re[t];
      si += im[t];
    }
    energy[frame * n_bins + blockIdx.x] = (sr * sr + si * si) / N;
  }
}

int main(int argc, char** argv)
{
  const int n_frames = argc > 1 ? atoi(argv[1]) : 96;
  const int tones[8] = {89, 99, 109, 120, 155, 171, 189, 209};
  float* x = (float*)malloc(n_frames * N * sizeof(float));
  float2* w = (float2*)malloc(N * sizeof(float2));
  for (int n = 0; n < N; n++) {
    w[n].x = cos(2 * M_PI * n / N);
    w[n].y = -sin(2 * M_PI * n / N);
  }
  for (int f = 0; f < n_frames; f++)
    for (int n = 0; n < N; n++)
      x[f * N + n] = sin(2 * M_PI * tones[f % 4] * n / N) + 0.7 * sin(2 * M_PI * tones[4 + f / 4 % 4] * n / N)
                   + 0.1 * rand() / RAND_MAX;

  float *dx, *de;
  float2* dw;
  int* db;
  cudaMalloc(&dx, n_frames * N * sizeof(float));
  cudaMalloc(&dw, N * sizeof(float2));
  cudaMalloc(&db, sizeof(tones));
  cudaMalloc(&de, n_frames * 8 * sizeof(float));
  cudaMemcpy(dx, x, n_frames * N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dw, w, N * sizeof(float2), cudaMemcpyHostToDevice);
  cudaMemcpy(db, tones, sizeof(tones), cudaMemcpyHostToDevice);

  tone_energy<<<dim3(8, n_frames), THREADS>>>(dx, dw, db, de, 8);

  float e[8];
  cudaMemcpy(e, de, sizeof(e), cudaMemcpyDeviceToHost);
  for (int k = 0; k < 8; k++) printf("%d: %g\n", tones[k], e[k]);
  return 0;
}
