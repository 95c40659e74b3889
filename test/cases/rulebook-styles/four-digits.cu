//@case {"kernel": "to_last", "rules": ["cuda-count-indices", "cuda-vectorize-threads"], "spec": {"launch": {"arguments": ["dst", "src", {"value": "N", "dtype": "int32"}, {"value": "C", "dtype": "int32"}, {"value": "H", "dtype": "int32"}, {"value": "W", "dtype": "int32"}], "grid": ["ceil_div(N * C * H * W, 256)"], "block": [256]}, "inputs": {"src": {"dtype": "float32", "shape": ["N", "C", "H", "W"]}}, "outputs": {"dst": {"dtype": "float32", "shape": ["N", "H", "W", "C"]}}, "shapes": [{"sizes": {"N": 2, "C": 8, "H": 20, "W": 30}}, {"sizes": {"N": 1, "C": 1, "H": 7, "W": 1}}, {"sizes": {"N": 3, "C": 5, "H": 1, "W": 9}}], "reference": "baseline"}}
__global__ void to_last(float* dst, const float* src, int N, int C, int H, int W) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  if (out >= N * C * H * W) return;
  int n = out / (C * W * H);
  int c = out % C;
  int w = out / C % W;
  int h = (out / (W * C)) % H;
  dst[out] = src[((n * C + c) * H + h) * W + w];
}
