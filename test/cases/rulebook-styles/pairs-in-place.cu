//@case {"kernel": "turn", "rules": ["cuda-vectorize-threads", "cuda-stage-structures", "cuda-fill-gpu"], "spec": {"launch": {"arguments": ["z", "gains", {"value": "n", "dtype": "uint32"}]}, "inputs": {"z": {"dtype": "float32", "shape": ["n", 2]}, "gains": {"dtype": "float32", "shape": ["n"]}}, "outputs": {"z": {"dtype": "float32", "shape": ["n", 2]}}, "shapes": [{"sizes": {"n": 8192}}, {"sizes": {"n": 1027}}, {"sizes": {"n": 1}}], "reference": "baseline"}}
// Each element is turned by a right angle and scaled; real and imaginary parts lie side by side.
__global__ void turn(float* z, const float* gains, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned re = 2 * i, im = re + 1;
    const float t = z[re];
    z[re] = -gains[i] * z[im];
    z[im] = gains[i] * t;
  }
}

void run(float* z, const float* gains, unsigned n) { turn<<<8, 128>>>(z, gains, n); }
