// A corpus file is compiled twice: by nvcc to kernels, and by g++ to a program that prints what each kernel has to give.
// A kernel takes one input array and one output array; one block of 128 threads runs it.
#pragma once
constexpr int threads = 128;
#ifdef __CUDACC__
#define KERNEL(name, In, Out, ...) extern "C" __global__ void name(const In* in, Out* out) __VA_ARGS__
#define EXPECT(name, In, Out, ulps, ...)
#define MAP_DEVICE(name, In, Out, expression) \
  KERNEL(name, In, Out, { int i = threadIdx.x; In x = in[i], y = in[i + threads], z = in[i + 2 * threads]; (void)y; (void)z; out[i] = (expression); })
#define MAP(name, In, Out, ulps, ...) MAP_DEVICE(name, In, Out, (__VA_ARGS__))
#define MAP_HOST(name, In, Out, ulps, expression, ...) MAP_DEVICE(name, In, Out, expression)
#else
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>
struct Entry {
  const char* name; const char* in; const char* out; double ulps;
  void (*run)(const void*, void*);
};
inline std::vector<Entry>& entries() { static std::vector<Entry> list; return list; }
struct Register { Register(Entry entry) { entries().push_back(entry); } };
template <typename T> constexpr const char* kindOf() {
  if (std::is_same<T, float>::value) return "f32";
  if (std::is_same<T, double>::value) return "f64";
  return sizeof(T) == 8 ? "b64" : sizeof(T) == 4 ? "b32" : sizeof(T) == 2 ? "b16" : "b8";
}
#define KERNEL(name, In, Out, ...)
#define EXPECT(name, In, Out, ulps, ...) \
  static void name##_host(const In* in, Out* out); \
  static Register name##_entry({#name, kindOf<In>(), kindOf<Out>(), ulps, [](const void* in, void* out) { name##_host((const In*)in, (Out*)out); }}); \
  static void name##_host(const In* in, Out* out) __VA_ARGS__
#define MAP_HOST(name, In, Out, ulps, expression, ...) \
  EXPECT(name, In, Out, ulps, { for (int i = 0; i < threads; i++) { In x = in[i], y = in[i + threads], z = in[i + 2 * threads]; (void)x; (void)y; (void)z; out[i] = (Out)(__VA_ARGS__); } })
#define MAP(name, In, Out, ulps, ...) MAP_HOST(name, In, Out, ulps, 0, __VA_ARGS__)
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

constexpr int words = 2048;
inline uint32_t noise(uint32_t& state) { state = state * 1664525u + 1013904223u; return state >> 8; }
// Numbers of every size, with corners; of 64 bits each half is noise.
inline void fill(const char* kind, unsigned char* bytes) {
  uint32_t state = 12345;
  static const double corners[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 2, 3, 10, INFINITY, -INFINITY, NAN, 1e-40, -1e-40, 1e30, -1e30, 100000, 0.999999, 1.000001, 88, -88, 150, 710};
  for (int i = 0; i < words; i++) {
    double scale = std::exp2((int)(noise(state) % 24) - 12);
    double value = (noise(state) % 16777216 / 8388608.0 - 1) * scale;
    if (noise(state) % 5 == 0) value = corners[noise(state) % (sizeof corners / sizeof *corners)];
    uint64_t integer = ((uint64_t)noise(state) << 40 ^ (uint64_t)noise(state) << 20 ^ noise(state)) >> noise(state) % 60;
    if (noise(state) % 4 == 0) integer = 0 - integer;
    float single = (float)value;
    if (!std::strcmp(kind, "f32")) std::memcpy(bytes + 4 * i, &single, 4);
    else if (!std::strcmp(kind, "f64")) std::memcpy(bytes + 8 * i, &value, 8);
    else { int size = std::atoi(kind + 1) / 8; std::memcpy(bytes + size * i, &integer, size); }
  }
}
int main() {
  for (const Entry& entry : entries()) {
    static unsigned char in[8 * words], out[8 * words];
    std::memset(out, 0, sizeof out);
    fill(entry.in, in);
    entry.run(in, out);
    std::printf("%s %s %s %g ", entry.name, entry.in, entry.out, entry.ulps);
    for (int i = 0; i < words * (std::atoi(entry.in + 1) / 8); i++) std::printf("%02x", in[i]);
    std::printf(" ");
    for (int i = 0; i < words * (std::atoi(entry.out + 1) / 8); i++) std::printf("%02x", out[i]);
    std::printf("\n");
  }
}
#endif
