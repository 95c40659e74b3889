//@case {"kernel": "widen", "rules": ["cuda-vectorize-threads"], "spec": {"entry": {"call": "codes-of-a-byte.cu::run", "arguments": ["codes", "values", {"value": 0.5, "dtype": "float32"}, {"value": "n", "dtype": "int32"}]}, "inputs": {"codes": {"dtype": "uint8", "shape": ["n"], "distribution": "integers"}}, "outputs": {"values": {"dtype": "float16", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 20000}}, {"sizes": {"n": 1003}}, {"sizes": {"n": 3}}], "reference": "baseline"}}
#include <cuda_fp16.h>

template <typename Q>
__global__ void widen(const Q* __restrict__ codes, half* values, float scale, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    values[i] = __float2half(scale * (float)codes[i]);
}

void run(const unsigned char* codes, half* values, float scale, int n) {
  widen<unsigned char><<<(n + 255) / 256, 256>>>(codes, values, scale, n);
}
