// task: cuda-pixels
// does: four structures at a time as whole words, whose bytes are averaged side by side without carrying over

struct Pixel {
  unsigned char red, green, blue, alpha;
};

__device__ unsigned mixed(unsigned a, unsigned b) {
  // a + b is twice what both have, plus what one has: half of it, rounded up, without a ninth bit.
  unsigned colours = (a | b) - (((a ^ b) & 0xfefefefeu) >> 1);
  unsigned alpha = max(a >> 24, b >> 24);
  return __byte_perm(colours, alpha, 0x4210);
}

__global__ void mix(const Pixel* a, const Pixel* b, Pixel* out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  size_t together = reinterpret_cast<size_t>(a) | reinterpret_cast<size_t>(b) | reinterpret_cast<size_t>(out);
  int fours = together % 16 == 0 ? n / 4 : 0;
  if (thread < fours) {
    uint4 left = reinterpret_cast<const uint4*>(a)[thread], right = reinterpret_cast<const uint4*>(b)[thread];
    reinterpret_cast<uint4*>(out)[thread] =
        make_uint4(mixed(left.x, right.x), mixed(left.y, right.y), mixed(left.z, right.z), mixed(left.w, right.w));
  }
  for (int i = fours * 4 + thread; i < n; i += gridDim.x * blockDim.x) {
    out[i].red = (a[i].red + b[i].red + 1) / 2;
    out[i].green = (a[i].green + b[i].green + 1) / 2;
    out[i].blue = (a[i].blue + b[i].blue + 1) / 2;
    out[i].alpha = max(a[i].alpha, b[i].alpha);
  }
}

void launch_mix(const Pixel* a, const Pixel* b, Pixel* out, int n) { mix<<<(n + 511) / 512, 128>>>(a, b, out, n); }
