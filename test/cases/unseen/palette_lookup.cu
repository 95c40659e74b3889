// Applies gain, offset and gamma flag of the frame to each pixel; the frame header lives in global memory.
struct FrameHeader { int gain; int offset; int clampLow; int clampHigh; };
__global__ void apply_header(const FrameHeader* hdr, unsigned short* pix, int pitch, int w, int h) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < h; row += gridDim.y * blockDim.y)
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < w; col += gridDim.x * blockDim.x) {
      float v = pix[row * pitch + col] * hdr->gain + hdr->offset;
      int q = (int)v;
      if (q < hdr->clampLow) q = hdr->clampLow;
      if (q > 4096 * hdr->clampHigh) q = 4096 * hdr->clampHigh;
      pix[row * pitch + col] = (unsigned short)q;
    }
}
void applyHeader(const FrameHeader* hdr, unsigned short* pix, int pitch, int w, int h) {
  apply_header<<<dim3((w + 31) / 32, 8), dim3(32, 8)>>>(hdr, pix, pitch, w, h);
}
