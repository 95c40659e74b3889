//@case {"kernel": "mix_heads", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["q", "out", {"value": "rows", "dtype": "int32"}, {"value": "heads", "dtype": "int32"}]}}, "shapes": [{"sizes": {"rows": 16, "heads": 32}}]}, "launches": [{"kernel": "mix_heads", "blocks": 64, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
#define WIDTH 128
__global__ void mix_heads(const float* q, float* out, int heads) {
  __shared__ float row[WIDTH];
  for (int head = 0; head < heads; head++) { //@ instructions=3000000
    row[threadIdx.x] = q[(blockIdx.x * heads + head) * WIDTH + threadIdx.x]; //@ instructions=300000
    __syncthreads();
    float total = 0.0f;
    for (int k = 0; k < WIDTH; k++) total += row[k] * row[(k + threadIdx.x) % WIDTH]; //@ instructions=3000000
    out[(blockIdx.x * heads + head) * WIDTH + threadIdx.x] = total;
    __syncthreads();
  }
}
void run(const float* q, float* out, int rows, int heads) { mix_heads<<<rows, WIDTH>>>(q, out, heads); }
