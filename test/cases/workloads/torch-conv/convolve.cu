#include <torch/extension.h>

template <typename scalar>
__global__ void convolve(
    const scalar* __restrict__ image, const scalar* __restrict__ filter, const scalar* __restrict__ offset,
    scalar* __restrict__ result, int batch, int channels, int height, int width, int filters, int rows, int cols,
    int outHeight, int outWidth, int pad, int stride) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= batch * filters * outHeight * outWidth) return;
  const int ox = index % outWidth;
  const int oy = index / outWidth % outHeight;
  const int f = index / (outWidth * outHeight) % filters;
  const int b = index / (outWidth * outHeight * filters);
  scalar sum = offset[f];
  for (int c = 0; c < channels; ++c) {
    for (int r = 0; r < rows; ++r) {
      const int y = oy * stride + r - pad;
      if (y < 0 || y >= height) continue;
      for (int s = 0; s < cols; ++s) {
        const int x = ox * stride + s - pad;
        if (x < 0 || x >= width) continue;
        sum += image[((b * channels + c) * height + y) * width + x] * filter[((f * channels + c) * rows + r) * cols + s];
      }
    }
  }
  result[index] = sum;
}

torch::Tensor convolve_forward(
    torch::Tensor image, torch::Tensor filter, torch::Tensor offset, int64_t stride, int64_t pad) {
  TORCH_CHECK(image.is_cuda() && image.is_contiguous(), "image has to be contiguous and on the GPU");
  const auto batch = image.size(0), channels = image.size(1), height = image.size(2), width = image.size(3);
  const auto filters = filter.size(0), rows = filter.size(2), cols = filter.size(3);
  const auto outHeight = (height + 2 * pad - rows) / stride + 1;
  const auto outWidth = (width + 2 * pad - cols) / stride + 1;
  auto result = torch::empty({batch, filters, outHeight, outWidth}, image.options());
  constexpr int threads = 256;
  const int blocks = (batch * filters * outHeight * outWidth + threads - 1) / threads;
  AT_DISPATCH_FLOATING_TYPES(image.scalar_type(), "convolve", ([&] {
    convolve<scalar_t><<<blocks, threads>>>(
        image.data_ptr<scalar_t>(), filter.data_ptr<scalar_t>(), offset.data_ptr<scalar_t>(),
        result.data_ptr<scalar_t>(), batch, channels, height, width, filters, rows, cols, outHeight, outWidth, pad,
        stride);
  }));
  return result;
}
