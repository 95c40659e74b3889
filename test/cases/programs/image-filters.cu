// Reads images through texture and surface objects of every kind, and checks each value against plain host code.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#include <functional>
#include <vector>

constexpr int kWidth = 37, kHeight = 21, kDepth = 5;
constexpr int kCount = kWidth * kHeight;

enum Kind { k1D, k2D, k3D, kLayered1D, kLayered2D, kLod, kGrad, kGather };

template <typename Value, Kind kind> __global__ void sample(cudaTextureObject_t texture, Value *out, float scale, float shift, int layer) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= kWidth || y >= kHeight) return;
  const float u = x * scale + shift, v = y * scale + shift;
  Value &to = out[y * kWidth + x];
  if constexpr (kind == k1D) to = tex1D<Value>(texture, u);
  else if constexpr (kind == k2D) to = tex2D<Value>(texture, u, v);
  else if constexpr (kind == k3D) to = tex3D<Value>(texture, u, v, v + u);
  else if constexpr (kind == kLayered1D) to = tex1DLayered<Value>(texture, u, layer);
  else if constexpr (kind == kLayered2D) to = tex2DLayered<Value>(texture, u, v, layer);
  else if constexpr (kind == kLod) to = tex2DLod<Value>(texture, u, v, 0.0f);
  else if constexpr (kind == kGrad) to = tex2DGrad<Value>(texture, u, v, make_float2(0.1f, 0.0f), make_float2(0.0f, 0.1f));
  else to = tex2Dgather<Value>(texture, u, v, 1);
}

template <typename Value> __global__ void fetchAll(cudaTextureObject_t texture, Value *out, int from) {
  const int index = threadIdx.x + blockIdx.x * blockDim.x;
  if (index < kCount) out[index] = tex1Dfetch<Value>(texture, index + from);
}

int failures = 0;

template <typename Value> void check(const char *what, const Value *device, const std::function<Value(int, int)> &expected) {
  std::vector<Value> got(kCount);
  cudaMemcpy(got.data(), device, kCount * sizeof(Value), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int index = 0; index < kCount; ++index) {
    const Value wanted = expected(index % kWidth, index / kWidth);
    wrong += std::memcmp(&got[index], &wanted, sizeof(Value)) != 0;
  }
  failures += wrong;
  std::printf("%s: %d wrong, %s\n", what, wrong, cudaGetErrorName(cudaGetLastError()));
}

/** An array of texels with a number each, made from their place. */
template <typename Texel> cudaArray_t fill(std::vector<Texel> &texels, cudaExtent extent, unsigned flags, const cudaChannelFormatDesc &format) {
  const size_t rows = extent.height ? extent.height : 1, slices = extent.depth ? extent.depth : 1;
  texels.resize(extent.width * rows * slices);
  for (size_t index = 0; index < texels.size() * sizeof(Texel); ++index) reinterpret_cast<unsigned char *>(texels.data())[index] = (index * index + 7 * index) % 113;
  cudaArray_t array;
  cudaMalloc3DArray(&array, &format, extent, flags);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), extent.width * sizeof(Texel), extent.width * sizeof(Texel), rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, rows, slices);
  copy.kind = cudaMemcpyHostToDevice;
  if (cudaMemcpy3D(&copy) != cudaSuccess) std::printf("copy: %s\n", cudaGetErrorName(cudaGetLastError()));
  return array;
}

cudaTextureObject_t textureOf(cudaArray_t array, cudaTextureAddressMode mode, bool linear, bool normalized, bool reads = false) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  for (auto &each : description.addressMode) each = mode;
  description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.readMode = reads ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  description.normalizedCoords = normalized;
  cudaTextureObject_t texture = 0;
  if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess) std::printf("texture: %s\n", cudaGetErrorName(cudaGetLastError()));
  return texture;
}

int clamped(double value, int size) { return value < 0 ? 0 : value >= size ? size - 1 : static_cast<int>(std::floor(value)); }

/** Weights have 8 bits of fraction. */
double weight(double base) { return std::floor((base - std::floor(base)) * 256 + 0.5) / 256; }

/** Reads a texel by its place, each dimension clamped. */
using Reader = std::function<double(double, double)>;

float filtered(const Reader &texel, double u, double v) {
  const double x = std::floor(u - 0.5), y = std::floor(v - 0.5), a = weight(u - 0.5), b = weight(v - 0.5);
  return static_cast<float>((1 - a) * (1 - b) * texel(x, y) + a * (1 - b) * texel(x + 1, y) + (1 - a) * b * texel(x, y + 1) + a * b * texel(x + 1, y + 1));
}

const dim3 kBlock(16, 8), kGrid((kWidth + 15) / 16, (kHeight + 7) / 8);

template <typename Texel, typename Value> void readLinear(const char *what, bool reads, const std::function<Value(const Texel &)> &converted) {
  std::vector<Texel> texels(kCount);
  for (size_t index = 0; index < kCount * sizeof(Texel); ++index) reinterpret_cast<unsigned char *>(texels.data())[index] = (index * 31) % 127;
  Texel *memory;
  Value *out;
  cudaMalloc(&memory, kCount * sizeof(Texel));
  cudaMalloc(&out, kCount * sizeof(Value));
  cudaMemcpy(memory, texels.data(), kCount * sizeof(Texel), cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<Texel>();
  resource.res.linear.sizeInBytes = kCount * sizeof(Texel);
  cudaTextureDesc description = {};
  description.readMode = reads ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  fetchAll<Value><<<(kCount + 127) / 128, 128>>>(texture, out, 3);
  check<Value>(what, out, [&](int x, int y) {
    const int index = y * kWidth + x + 3;
    return index < kCount ? converted(texels[index]) : Value{};
  });
  cudaDestroyTextureObject(texture);
  cudaFree(memory);
  cudaFree(out);
}

void readPlainMemory() {
  readLinear<float, float>("tex1Dfetch float", false, [](const float &texel) { return texel; });
  readLinear<uchar4, uchar4>("tex1Dfetch uchar4", false, [](const uchar4 &texel) { return texel; });
  readLinear<short2, short2>("tex1Dfetch short2", false, [](const short2 &texel) { return texel; });
  readLinear<int4, int4>("tex1Dfetch int4", false, [](const int4 &texel) { return texel; });
  readLinear<unsigned char, float>("tex1Dfetch uchar to 1", true, [](const unsigned char &texel) { return texel / 255.0f; });
  readLinear<signed char, float>("tex1Dfetch schar to 1", true, [](const signed char &texel) { return texel / 127.0f; });
  readLinear<ushort2, float2>("tex1Dfetch ushort2 to 1", true, [](const ushort2 &texel) { return make_float2(texel.x / 65535.0f, texel.y / 65535.0f); });
  uchar4 *memory, *out;
  size_t pitch;
  std::vector<uchar4> texels(kCount);
  for (int index = 0; index < kCount; ++index) texels[index] = make_uchar4(index, index / 3, index / 5, 255 - index % 251);
  cudaMallocPitch(&memory, &pitch, kWidth * sizeof(uchar4), kHeight);
  cudaMalloc(&out, kCount * sizeof(uchar4));
  cudaMemcpy2D(memory, pitch, texels.data(), kWidth * sizeof(uchar4), kWidth * sizeof(uchar4), kHeight, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {memory, cudaCreateChannelDesc<uchar4>(), kWidth, kHeight, pitch};
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  sample<uchar4, k2D><<<kGrid, kBlock>>>(texture, out, 1, 2.5f, 0);
  check<uchar4>("tex2D of pitched memory", out, [&](int x, int y) { return texels[clamped(y + 2.5, kHeight) * kWidth + clamped(x + 2.5, kWidth)]; });
  cudaDestroyTextureObject(texture);
  cudaFree(memory);
  cudaFree(out);
}

void readFlat() {
  float *out;
  float4 *wide;
  cudaMalloc(&out, kCount * sizeof(float));
  cudaMalloc(&wide, kCount * sizeof(float4));
  std::vector<unsigned char> bytes;
  cudaArray_t array = fill(bytes, make_cudaExtent(kWidth, kHeight, 0), cudaArrayDefault, cudaCreateChannelDesc<unsigned char>());
  cudaTextureObject_t texture = textureOf(array, cudaAddressModeClamp, true, false, true);
  const Reader clampedReader = [&](double x, double y) { return bytes[clamped(y, kHeight) * kWidth + clamped(x, kWidth)] / 255.0f; };
  const float scale = 1.25f, shift = -3.0f;
  sample<float, k2D><<<kGrid, kBlock>>>(texture, out, scale, shift, 0);
  check<float>("tex2D linear, clamped", out, [&](int x, int y) { return filtered(clampedReader, x * scale + shift, y * scale + shift); });
  sample<float, kLod><<<kGrid, kBlock>>>(texture, out, scale, shift, 0);
  check<float>("tex2DLod", out, [&](int x, int y) { return filtered(clampedReader, x * scale + shift, y * scale + shift); });
  sample<float, kGrad><<<kGrid, kBlock>>>(texture, out, scale, shift, 0);
  check<float>("tex2DGrad", out, [&](int x, int y) { return filtered(clampedReader, x * scale + shift, y * scale + shift); });
  cudaDestroyTextureObject(texture);
  texture = textureOf(array, cudaAddressModeBorder, true, false, true);
  const Reader bordered = [&](double x, double y) { return x < 0 || y < 0 || x >= kWidth || y >= kHeight ? 0.0f : clampedReader(x, y); };
  sample<float, k2D><<<kGrid, kBlock>>>(texture, out, scale, shift, 0);
  check<float>("tex2D linear, bordered", out, [&](int x, int y) { return filtered(bordered, x * scale + shift, y * scale + shift); });
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  std::vector<float4> pixels;
  array = fill(pixels, make_cudaExtent(32, 16, 0), cudaArrayTextureGather, cudaCreateChannelDesc<float4>());
  texture = textureOf(array, cudaAddressModeWrap, false, true);
  const auto wrapped = [](double place, int size) { return static_cast<int>(std::floor((place - std::floor(place)) * size)); };
  sample<float4, k2D><<<kGrid, kBlock>>>(texture, wide, 0.09375f, -1, 0);
  check<float4>("tex2D wrapped", wide, [&](int x, int y) { return pixels[wrapped(y * 0.09375 - 1, 16) * 32 + wrapped(x * 0.09375 - 1, 32)]; });
  cudaDestroyTextureObject(texture);
  texture = textureOf(array, cudaAddressModeMirror, false, true);
  const auto mirrored = [&](double place, int size) { return std::fmod(std::floor(place), 2) == 0 ? wrapped(place, size) : size - 1 - wrapped(place, size); };
  sample<float4, k2D><<<kGrid, kBlock>>>(texture, wide, 0.09375f, -1, 0);
  check<float4>("tex2D mirrored", wide, [&](int x, int y) { return pixels[mirrored(y * 0.09375 - 1, 16) * 32 + mirrored(x * 0.09375 - 1, 32)]; });
  cudaDestroyTextureObject(texture);
  texture = textureOf(array, cudaAddressModeClamp, false, false);
  sample<float4, kGather><<<kGrid, kBlock>>>(texture, wide, 0.5f, 0, 0);
  check<float4>("tex2Dgather", wide, [&](int x, int y) {
    const double left = std::floor(x * 0.5 - 0.5), top = std::floor(y * 0.5 - 0.5);
    const auto at = [&](double column, double row) { return pixels[clamped(row, 16) * 32 + clamped(column, 32)].y; };
    return make_float4(at(left, top + 1), at(left + 1, top + 1), at(left + 1, top), at(left, top));
  });
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  cudaFree(out);
  cudaFree(wide);
}

void readOtherShapes() {
  float *out;
  float2 *pairs;
  cudaMalloc(&out, kCount * sizeof(float));
  cudaMalloc(&pairs, kCount * sizeof(float2));
  std::vector<float> line;
  cudaArray_t array = fill(line, make_cudaExtent(kWidth, 0, 0), cudaArrayDefault, cudaCreateChannelDesc<float>());
  for (float &each : line) each = std::isfinite(each) ? each : 0;
  cudaTextureObject_t texture = textureOf(array, cudaAddressModeClamp, false, false);
  sample<float, k1D><<<kGrid, kBlock>>>(texture, out, 1.5f, -2, 0);
  check<float>("tex1D", out, [&](int x, int) { return line[clamped(x * 1.5 - 2, kWidth)]; });
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  std::vector<float> box;
  array = fill(box, make_cudaExtent(kWidth, kHeight, kDepth), cudaArrayDefault, cudaCreateChannelDesc<float>());
  texture = textureOf(array, cudaAddressModeClamp, false, false);
  sample<float, k3D><<<kGrid, kBlock>>>(texture, out, 0.125f, 0.5f, 0);
  check<float>("tex3D", out, [&](int x, int y) {
    const double u = x * 0.125 + 0.5, v = y * 0.125 + 0.5;
    return box[(clamped(u + v, kDepth) * kHeight + clamped(v, kHeight)) * kWidth + clamped(u, kWidth)];
  });
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  std::vector<float2> layers;
  array = fill(layers, make_cudaExtent(kWidth, kHeight, kDepth), cudaArrayLayered, cudaCreateChannelDesc<float2>());
  texture = textureOf(array, cudaAddressModeClamp, false, false);
  sample<float2, kLayered2D><<<kGrid, kBlock>>>(texture, pairs, 1, 1.5f, 3);
  check<float2>("tex2DLayered", pairs, [&](int x, int y) { return layers[(3 * kHeight + clamped(y + 1.5, kHeight)) * kWidth + clamped(x + 1.5, kWidth)]; });
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  std::vector<float> lines;
  array = fill(lines, make_cudaExtent(kWidth, 0, kDepth), cudaArrayLayered, cudaCreateChannelDesc<float>());
  texture = textureOf(array, cudaAddressModeClamp, false, false);
  sample<float, kLayered1D><<<kGrid, kBlock>>>(texture, out, 1, 1.5f, 2);
  check<float>("tex1DLayered", out, [&](int x, int) { return lines[2 * kWidth + clamped(x + 1.5, kWidth)]; });
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  std::vector<__half> halves;
  array = fill(halves, make_cudaExtent(kWidth, kHeight, 0), cudaArrayDefault, cudaCreateChannelDescHalf());
  texture = textureOf(array, cudaAddressModeClamp, true, false);
  sample<float, k2D><<<kGrid, kBlock>>>(texture, out, 0.75f, 0.25f, 0);
  check<float>("tex2D of halves", out, [&](int x, int y) {
    // What is filtered is a half again.
    return __half2float(__float2half(filtered([&](double u, double v) { return static_cast<double>(__half2float(halves[clamped(v, kHeight) * kWidth + clamped(u, kWidth)])); }, x * 0.75 + 0.25, y * 0.75 + 0.25)));
  });
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  cudaFree(out);
  cudaFree(pairs);
}

int main() {
  readPlainMemory();
  readFlat();
  readOtherShapes();
  return failures != 0;
}
