// direct convolution, valid padding, one thread per output element
#define KS 3

__global__ void conv2d_forward(const float* __restrict__ input, const float* __restrict__ weight,
                               const float* __restrict__ bias, float* __restrict__ output,
                               int batch, int inC, int outC, int H, int W) {
  const int outH = H - KS + 1;
  const int outW = W - KS + 1;
  int ow = blockIdx.x * blockDim.x + threadIdx.x;
  int oh = blockIdx.y * blockDim.y + threadIdx.y;
  int oc = blockIdx.z % outC;
  int b = blockIdx.z / outC;
  if (ow >= outW || oh >= outH) return;

  float sum = bias[oc];
  for (int ic = 0; ic < inC; ++ic)
    for (int kh = 0; kh < KS; ++kh)
      for (int kw = 0; kw < KS; ++kw)
        sum += input[((b * inC + ic) * H + oh + kh) * W + ow + kw] * weight[((oc * inC + ic) * KS + kh) * KS + kw];
  output[((b * outC + oc) * outH + oh) * outW + ow] = sum;
}

void conv_forward(const float* input, const float* weight, const float* bias, float* output, int batch, int inC,
                  int outC, int H, int W) {
  dim3 block(16, 16);
  dim3 grid((W - KS + 1 + 15) / 16, (H - KS + 1 + 15) / 16, batch * outC);
  conv2d_forward<<<grid, block>>>(input, weight, bias, output, batch, inC, outC, H, W);
}
