// What buffers hold before a timed call, made where it is needed: nothing but a seed crosses the process. The
// oracle makes the same contents of the same seeds (`oracle/pools.py`), and so does `timed/contents.py`.
#pragma once
#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>
#include <map>
#include <utility>
#include <vector>

namespace kernelwright_timed {

/* `mask`: which of an element's lowest bits the seed clears. */
struct Draw {
  uint64_t seed;
  uint64_t mask;
};

constexpr unsigned drawThreads = 256;
constexpr size_t mostDrawBlocks = 1 << 14;
/* So few bytes are made and copied by the host, which takes no longer than to launch. */
constexpr size_t fewBytes = 32 * 1024;

static __host__ __device__ uint32_t mixed(uint32_t value) {
  value ^= value >> 16;
  value *= 0x21f0aaadu;
  value ^= value >> 15;
  value *= 0x735a2d97u;
  return value ^ (value >> 15);
}

template <class T> static __host__ __device__ T drawn(size_t each, const T *pool, uint32_t last, Draw by) {
  const uint32_t low = static_cast<uint32_t>(each) + static_cast<uint32_t>(by.seed);
  const uint32_t chosen = mixed(mixed(low) ^ static_cast<uint32_t>(by.seed >> 32));
  return pool[chosen & last] &
         static_cast<T>(~static_cast<T>((chosen >> 16) & static_cast<uint32_t>(by.mask)));
}

template <class T>
static __global__ void drawElements(T *to, size_t count, const T *pool, uint32_t last, Draw by) {
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t each = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; each < count; each += step)
    to[each] = drawn(each, pool, last, by);
}

template <class T> static __global__ void repeatPattern(T *to, size_t count, uint64_t pattern) {
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t each = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; each < count; each += step)
    to[each] = static_cast<T>(pattern >> (8 * (each * sizeof(T) % 8)));
}

static unsigned drawBlocks(size_t count) {
  const size_t blocks = (count + drawThreads - 1) / drawThreads;
  return static_cast<unsigned>(blocks < mostDrawBlocks ? blocks : mostDrawBlocks);
}

/* Elements to draw from, on the GPU and here; as many as a power of two. */
class Pool {
public:
  Pool(uint64_t width, std::vector<char> &&content) : width(width), content(std::move(content)) {}
  Pool(const Pool &) = delete;
  Pool(Pool &&other) : width(other.width), content(std::move(other.content)), elements(other.elements) {
    other.elements = nullptr;
  }
  ~Pool() { cudaFree(elements); }

  cudaError_t draw(void *to, size_t bytes, Draw by) {
    if (width == 1) return drawAs<uint8_t>(to, bytes, by);
    if (width == 2) return drawAs<uint16_t>(to, bytes, by);
    if (width == 4) return drawAs<uint32_t>(to, bytes, by);
    return width == 8 ? drawAs<uint64_t>(to, bytes, by) : cudaErrorInvalidValue;
  }

private:
  template <class T> cudaError_t drawAs(void *to, size_t bytes, Draw by) {
    const size_t count = bytes / sizeof(T);
    const T *here = reinterpret_cast<const T *>(content.data());
    const uint32_t last = static_cast<uint32_t>(content.size() / sizeof(T) - 1);
    if (count == 0) return cudaSuccess;
    if (bytes <= fewBytes) {
      std::vector<T> made(count);
      for (size_t each = 0; each < count; each += 1)
        made[each] = drawn(each, here, last, by);
      return cudaMemcpy(to, made.data(), bytes, cudaMemcpyHostToDevice);
    }
    const cudaError_t there = copyThere();
    if (there != cudaSuccess) return there;
    const T *pool = static_cast<const T *>(elements);
    drawElements<<<drawBlocks(count), drawThreads>>>(static_cast<T *>(to), count, pool, last, by);
    return cudaGetLastError();
  }

  cudaError_t copyThere() {
    if (elements != nullptr) return cudaSuccess;
    const cudaError_t made = cudaMalloc(&elements, content.size());
    if (made != cudaSuccess) return made;
    return cudaMemcpy(elements, content.data(), content.size(), cudaMemcpyHostToDevice);
  }

  uint64_t width;
  std::vector<char> content;
  void *elements = nullptr;
};

/* Fills memory with a pattern of 8 bytes, the last of which may be cut. */
static cudaError_t repeat(void *to, size_t bytes, uint64_t pattern) {
  if (bytes == 0) return cudaSuccess;
  if (bytes <= fewBytes) {
    std::vector<char> made(bytes);
    for (size_t each = 0; each < bytes; each += 1)
      made[each] = static_cast<char>(pattern >> (8 * (each % 8)));
    return cudaMemcpy(to, made.data(), bytes, cudaMemcpyHostToDevice);
  }
  if (bytes % 8 == 0)
    repeatPattern<<<drawBlocks(bytes / 8), drawThreads>>>(static_cast<uint64_t *>(to), bytes / 8, pattern);
  else
    repeatPattern<<<drawBlocks(bytes), drawThreads>>>(static_cast<uint8_t *>(to), bytes, pattern);
  return cudaGetLastError();
}

/* What the outputs of each call held when its time was over: what host threads compute behind it comes too
 * late. */
class Left {
public:
  /* Where there is no memory for a copy, the buffer itself stands for it. */
  cudaError_t keep(size_t call, size_t buffer, char *address, size_t bytes) {
    Copy &copy = copies[{call, buffer}];
    if (copy.bytes != bytes) {
      cudaFree(copy.own);
      copy = {nullptr, nullptr, bytes};
      if (cudaMalloc(&copy.own, bytes) != cudaSuccess) copy.own = nullptr;
      cudaGetLastError();
    }
    copy.content = copy.own == nullptr ? address : copy.own;
    if (copy.own == nullptr) return cudaSuccess;
    return cudaMemcpyAsync(copy.own, address, bytes, cudaMemcpyDeviceToDevice, nullptr);
  }

  std::vector<char> content(size_t call, size_t buffer) const {
    const Copy &copy = copies.at({call, buffer});
    std::vector<char> all(copy.bytes);
    cudaMemcpy(all.data(), copy.content, copy.bytes, cudaMemcpyDeviceToHost);
    return all;
  }

private:
  struct Copy {
    void *own = nullptr;
    const void *content = nullptr;
    size_t bytes = 0;
  };
  std::map<std::pair<size_t, size_t>, Copy> copies;
};

} // namespace kernelwright_timed
