// The part of every harness that does not depend on the entry: what its arguments are made of, and the
// program around the cases. It is compiled among the candidate's files, ahead of the entry's own: no macro of
// theirs reaches it.
#pragma once
#include <cuda_runtime.h>
#include <cstring>
#include <exception>
#include <type_traits>
#include <utility>

extern "C" const unsigned long long *kernelwrightNextCase(unsigned status, const char *message);
extern "C" const unsigned long long *kernelwrightCallBefore();
extern "C" void kernelwrightEndCall();
extern "C" void kernelwrightFetch(void *target, const void *source, unsigned long bytes);
extern "C" void kernelwrightStore(void *target, const void *source, unsigned long bytes);

/** Calls the entry with the arguments that the words are: for a buffer its address and its size, else a
 * value. The generated part defines it. */
static void kernelwrightCase(const unsigned long long *words);

/** The words behind those of the variables, which come first; `fills`: the variables are given what they
 * hold. Where there are any, the generated part defines it. */
#ifdef KERNELWRIGHT_SYMBOLS
static const unsigned long long *kernelwrightSymbols(const unsigned long long *words, bool fills);
#else
static const unsigned long long *kernelwrightSymbols(const unsigned long long *words, bool) { return words; }
#endif

namespace kernelwright_harness {

template <class F, class... A> constexpr bool takes() { return std::is_invocable<F, A...>::value; }

/* What a pointer, a vector or a view of T becomes: memory of the device that the host may use as well. */
template <class T> struct Buffer {
  T *address;
  size_t bytes;
#ifdef KERNELWRIGHT_VECTORS
  void *vector = nullptr;
  void *asGiven = nullptr;
  void (*giveBack)(Buffer &) = nullptr;
  template <class U> std::vector<U> &asVector() {
    auto *made = new std::vector<U>(bytes / sizeof(U));
    kernelwrightFetch(static_cast<void *>(made->data()), address, bytes);
    auto *before = new std::vector<U>(*made);
    vector = made;
    asGiven = before;
    giveBack = [](Buffer &self) {
      auto *held = static_cast<std::vector<U> *>(self.vector);
      auto *given = static_cast<std::vector<U> *>(self.asGiven);
      const size_t size = held->size() * sizeof(U) < self.bytes ? held->size() * sizeof(U) : self.bytes;
      const void *now = held->data();
      const bool same = held->size() == given->size() && std::memcmp(now, given->data(), size) == 0;
      if (!same) kernelwrightStore(self.address, now, size);
      delete held;
      delete given;
    };
    return *made;
  }
  ~Buffer() {
    if (giveBack != nullptr) giveBack(*this);
  }
#endif
  Buffer(const unsigned long long *&words) : address(reinterpret_cast<T *>(words[0])), bytes(words[1]) {
    words += 2;
  }
  T *plain() const { return address; }
  struct Loose {
    Buffer *self;
    template <class U> operator U *() const { return reinterpret_cast<U *>(self->address); }
#ifdef KERNELWRIGHT_VECTORS
    template <class U> operator std::vector<U> &() const { return self->asVector<U>(); }
#endif
  };
  Loose loose() { return {this}; }
};

template <class T> struct Scalar {
  T value;
  Scalar(const unsigned long long *&words) {
    std::memcpy(static_cast<void *>(&value), words, sizeof value);
    words += 1;
  }
  T &plain() { return value; }
  struct Loose {
    T *value;
    template <class U,
              class = typename std::enable_if<std::is_arithmetic<U>::value || std::is_enum<U>::value>::type>
    operator U() const {
      return static_cast<U>(*value);
    }
    template <class U> operator U *() const { return nullptr; }
    operator dim3() const { return dim3(static_cast<unsigned>(*value)); }
  };
  Loose loose() { return {&value}; }
};

template <size_t N> struct Bytes {
  alignas(16) unsigned char bytes[N == 0 ? 1 : N];
  Bytes(const unsigned long long *&words) {
    std::memcpy(bytes, words, N);
    words += (N + 7) / 8;
  }
  Bytes &plain() { return *this; }
  struct Loose {
    Bytes *self;
    template <class U,
              class = typename std::enable_if<sizeof(U) == N && std::is_trivially_copyable<U>::value>::type>
    operator U() const {
      alignas(U) unsigned char copy[N];
      std::memcpy(copy, self->bytes, N);
      return *reinterpret_cast<U *>(copy);
    }
  };
  Loose loose() { return {this}; }
};

/* A structure whose members are other arguments: passed by value, by reference or by its address. */
template <class T> struct Structure {
  T value;
  T &plain() { return value; }
  struct Loose {
    T *value;
    operator T &() const { return *value; }
    operator T *() const { return value; }
  };
  Loose loose() { return {&value}; }
};

/* The output that is returned and not filled. */
struct Result {
  void *address;
  size_t bytes;
  Result(const unsigned long long *&words) : address(reinterpret_cast<void *>(words[0])), bytes(words[1]) {
    words += 2;
  }
  void take(const void *from, size_t size) const {
    cudaMemcpy(address, from, size < bytes ? size : bytes, cudaMemcpyDefault);
  }
};

/* Whether a value holds its elements elsewhere, as a std::vector. */
template <class V, class = void> struct HasData : std::false_type {};
template <class V> struct HasData<V, decltype(void(std::declval<V &>().data()))> : std::true_type {};

template <class F> void keep(const Result &result, F &&call) {
  auto &&value = call();
  using V = typename std::decay<decltype(value)>::type;
  if constexpr (std::is_pointer<V>::value)
    result.take(value, result.bytes);
  else if constexpr (!HasData<V>::value)
    result.take(&value, sizeof value);
  else
    result.take(value.data(), value.size() * sizeof(*value.data()));
}

#ifndef KERNELWRIGHT_TIMED
/* What the harness gives to a variable is no copy of the user's. */
template <class T> void store(T &symbol, const void *content, size_t size) {
  void *address = nullptr;
  if (cudaGetSymbolAddress(&address, symbol) == cudaSuccess) kernelwrightStore(address, content, size);
}
#endif

/* A variable is given the content of a buffer. */
template <class T> const unsigned long long *fill(T &symbol, const unsigned long long *words, bool fills) {
  if (!fills) return words + 2;
  const void *address = reinterpret_cast<const void *>(words[0]);
  const size_t size = words[1] < sizeof(T) ? words[1] : sizeof(T);
#ifdef KERNELWRIGHT_TIMED
  // Nothing may be waited for here.
  cudaMemcpyToSymbolAsync(symbol, address, size, 0, cudaMemcpyDeviceToDevice, nullptr);
#else
  char *content = new char[size];
  kernelwrightFetch(content, address, size);
  store(symbol, content, size);
  delete[] content;
#endif
  return words + 2;
}

/* The same of N bytes, which the words are. */
template <size_t N, class T>
const unsigned long long *fillBytes(T &symbol, const unsigned long long *words, bool fills) {
  const size_t size = N < sizeof(T) ? N : sizeof(T);
#ifdef KERNELWRIGHT_TIMED
  if (fills) cudaMemcpyToSymbolAsync(symbol, words, size, 0, cudaMemcpyHostToDevice, nullptr);
#else
  if (fills) store(symbol, words, size);
#endif
  return words + (N + 7) / 8;
}

} // namespace kernelwright_harness

#ifdef KERNELWRIGHT_TIMED
// Calls are timed on a GPU: the program around them is another one.
#include "kernelwright-timed.hpp"
#else
int main() {
  static char message[1024];
  const unsigned long long *words = kernelwrightNextCase(0, "");
  for (;;) {
    unsigned status = 1;
    message[0] = 0;
    try {
      kernelwrightSymbols(words, true);
      if (const unsigned long long *before = kernelwrightCallBefore()) kernelwrightCase(before);
      kernelwrightCase(words);
      kernelwrightEndCall();
      cudaDeviceSynchronize();
      const cudaError_t error = cudaGetLastError();
      if (error != cudaSuccess) {
        status = 4;
        std::strncpy(message, cudaGetErrorName(error), sizeof message - 1);
      }
    } catch (const std::exception &thrown) {
      status = 2;
      std::strncpy(message, thrown.what(), sizeof message - 1);
    } catch (...) {
      status = 2;
      std::strncpy(message, "an exception that is no std::exception", sizeof message - 1);
    }
    words = kernelwrightNextCase(status, message);
  }
}
#endif
