//@case {"kernel": "predict", "launches": [{"kernel": "predict", "blocks": 8, "threadsPerBlock": 256, "times": 1}], "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": []}}}}
struct Weight { int w0, w1, offset; };
__device__ int mixed(int a, int b, const Weight& w) { return (a * w.w0 + b * w.w1 + w.offset) >> 6; }
// One block for each slice, each with weights of its own.
__global__ void predict(const uchar4* a, const uchar4* b, uchar4* out, const Weight* table, int pitch, int rows, int each) {
  const int first = blockIdx.x * each, last = min(first + each, rows);
  if (first >= rows) return;
  const Weight w = table[blockIdx.x];
  for (int p = first * pitch + threadIdx.x; p < last * pitch; p += blockDim.x) {
    uchar4 o;
    o.x = mixed(a[p].x, b[p].x, w);  //@ instructions=4000
    o.y = mixed(a[p].y, b[p].y, w);
    o.z = mixed(a[p].z, b[p].z, w);
    o.w = mixed(a[p].w, b[p].w, w);
    out[p] = o;
  }
}
void run(const uchar4* a, const uchar4* b, uchar4* out, const Weight* t, int pitch, int rows, int slices) {
  predict<<<slices, 256>>>(a, b, out, t, pitch, rows, (rows + slices - 1) / slices);
}
