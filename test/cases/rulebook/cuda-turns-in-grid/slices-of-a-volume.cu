//@case {"kernel": "box_slices", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["in", "out", {"value": "w", "dtype": "int32"}, {"value": "h", "dtype": "int32"}, {"value": "slices", "dtype": "int32"}]}}, "shapes": [{"sizes": {"w": 128, "h": 128, "slices": 64}}]}, "launches": [{"kernel": "box_slices", "blocks": 64, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void box_slices(const float* in, float* out, int w, int h, int slices) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  for (int z = 0; z < slices; ++z) { //@ instructions=3000000
    float s = 0.f;
    for (int dx = -1; dx <= 1; ++dx) { //@ instructions=3000000
      int xx = x + dx;
      if (xx < 0 || xx >= w) continue;
      s += in[(z * h + y) * w + xx]; //@ instructions=3000000
    }
    out[(z * h + y) * w + x] = s;
  }
}
void run(const float* in, float* out, int w, int h, int slices) {
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  box_slices<<<grid, block>>>(in, out, w, h, slices);
}
