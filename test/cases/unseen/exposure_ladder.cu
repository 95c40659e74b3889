// Exercise sheet 6, task 2: an exposure ladder.
//
// Two sensors were read out for each of n pixels. Mix them, apply R gains one after the
// other and write an 8-bit picture for each gain:
//
//   out[r][i] = clamp(((wa * a[i] + wb * b[i] + bias) * gain[r]) >> (4 + shift), 0, 255)
//
// The calibration is in device memory since another kernel estimates it (task 1).
// One thread does all gains of one pixel.

struct Calibration {
  int wa;
  int wb;
  int bias;
  int shift;
};

__device__ int mix(const Calibration* c, const int* a, const int* b, int i) {
  return c->wa * a[i] + c->wb * b[i] + c->bias;
}

__device__ unsigned char to_byte(int v) {
  if (v < 0) return 0;
  if (v > 255) return 255;
  return (unsigned char)v;
}

__global__ void exposure_ladder(unsigned char* out, const int* a, const int* b, const int* gain,
                                const Calibration* cal, int n, int R) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  for (int r = 0; r < R; r++) {
    int v = (mix(cal, a, b, i) * gain[r]) >> (4 + cal->shift);
    out[r * n + i] = to_byte(v);
  }
}
