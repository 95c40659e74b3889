#include "proof.h"
#include "transpose.cu"
template <class T> void one(DType t) { int H = 45, W = 70; auto x = whole<T>(H * W, 0, 200); std::vector<T> w(H * W); T* y = room<T>(H * W); transpose(y, dev(x), H, W, t, 0);
  for (int i = 0; i < H; i++) for (int j = 0; j < W; j++) w[j * H + i] = x[i * W + j]; same("y", host(y, H * W), w, 0); }
int main() { one<uint8_t>(DType::U8); one<float>(DType::F32); one<double>(DType::F64); }
