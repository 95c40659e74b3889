// How far each pixel's colour is from a given one; alpha is not looked at.
__global__ void distances(const float4* pixels, float* out, int2 size, float3 colour) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= size.x || row >= size.y) return;
  float4 pixel = pixels[row * size.x + column];
  float r = pixel.x - colour.x;
  float g = pixel.y - colour.y;
  float b = pixel.z - colour.z;
  out[row * size.x + column] = sqrtf(r * r + g * g + b * b);
}
