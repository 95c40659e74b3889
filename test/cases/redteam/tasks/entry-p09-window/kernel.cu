// A signal in frames, each times a window whose values follow a recurrence of nine thousand steps from their place.
__global__ void windowed(const float* x, float* y, int frames, int width) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= frames * width) return;
  double place = (at % width + 0.5) / width, value = 0.5;
  for (int step = 0; step < 9000; ++step) value += 0.25 * (place - value * value);
  y[at] = x[at] * (float)value;
}

void windows_of(const float* x, float* y, int frames, int width) {
  windowed<<<(frames * width + 127) / 128, 128>>>(x, y, frames, width);
}
