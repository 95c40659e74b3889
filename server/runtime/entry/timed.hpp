// The program around a case whose calls are timed on a GPU: it makes buffers, flushes the second-level cache,
// and times calls by events. It speaks over the standard streams that it was started with, and is linked with
// whatever CUDA runtime the calls shall run on. Words are 64 bits, in the machine's order.
//
// `orders.hpp` says what a request is.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <exception>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>
#include "kernelwright-contents.hpp"
#include "kernelwright-orders.hpp"

static void kernelwrightCase(const unsigned long long *words);
#ifdef KERNELWRIGHT_LAUNCHER
static void kernelwrightCode(const char *symbols, const char *image);
/* Copies the content of the module's variables there before a call, and back behind it; whether there are
 * any. */
static bool kernelwrightVariables(const unsigned long long *words, bool before);
#else
static bool kernelwrightVariables(const unsigned long long *words, bool before) {
  return kernelwrightSymbols(words, before) != words;
}
#endif

extern "C" void kernelwrightStore(void *target, const void *source, unsigned long bytes) {
  cudaMemcpy(target, source, bytes, cudaMemcpyDefault);
}

extern "C" void kernelwrightFetch(void *target, const void *source, unsigned long bytes) {
  cudaMemcpy(target, source, bytes, cudaMemcpyDefault);
}

namespace kernelwright_timed {

/* Work that goes on for longer than this behind the last event was hidden from it. */
constexpr float hiddenMilliseconds = 0.02f;
/* How long the GPU is kept waiting for calls that are not on their way yet. */
constexpr std::chrono::microseconds gatePatience{500};

class Failure : public std::exception {
public:
  explicit Failure(cudaError_t error) : name(cudaGetErrorName(error)) {}
  const char *what() const noexcept override { return name; }

private:
  const char *name;
};

/* Memory beside a buffer was written. */
class Outside : public std::exception {
public:
  /* `byte`: from the start of the buffer, so that it is negative before it. */
  Outside(size_t buffer, int64_t byte) : place(std::to_string(buffer) + " " + std::to_string(byte)) {}
  const char *what() const noexcept override { return place.c_str(); }

private:
  std::string place;
};

inline void must(cudaError_t error) {
  if (error != cudaSuccess) throw Failure(error);
}

/* Sets of buffers, each with addresses of its own, kept from request to request. */
class Memory {
public:
  const std::vector<char *> &set(uint64_t number, const Order &order) {
    if (order.sizes != made || order.guard.bytes != guardBytes) forget();
    made = order.sizes;
    guardBytes = order.guard.bytes;
    while (sets.size() <= number) {
      sets.emplace_back();
      for (uint64_t size : made) {
        void *address = nullptr;
        must(cudaMalloc(&address, guardBytes + (size == 0 ? 1 : size) + guardBytes));
        sets.back().push_back(static_cast<char *>(address) + guardBytes);
      }
    }
    return sets[number];
  }

private:
  void forget() {
    for (const std::vector<char *> &each : sets)
      for (char *address : each)
        cudaFree(address - guardBytes);
    sets.clear();
  }
  std::vector<uint64_t> made;
  size_t guardBytes = 0;
  std::vector<std::vector<char *>> sets;
};

/* Overwrites the second-level cache twice over. */
class Flush {
public:
  void operator()() {
    if (memory == nullptr) {
      size = flushBytes();
      must(cudaMalloc(&memory, size));
    }
    value += 1;
    cudaCtxResetPersistingL2Cache();
    must(cudaMemsetAsync(memory, value & 0x7f, size));
  }

private:
  static size_t flushBytes() {
#ifdef KERNELWRIGHT_FLUSH_BYTES
    return KERNELWRIGHT_FLUSH_BYTES;
#else
    int device = 0, bytes = 0;
    must(cudaGetDevice(&device));
    must(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device));
    return 2 * static_cast<size_t>(bytes > 0 ? bytes : 1);
#endif
  }

  void *memory = nullptr;
  size_t size = 0;
  int value = 0;
};

/* Keeps the GPU waiting until all calls of a request are on their way: else the time of a short kernel would
 * be that of the host's launches. An entry that itself waits for the GPU is let through when patience ends,
 * which is before the first event. */
class Gate {
public:
  void close() {
    isOpen.store(false);
    must(cudaLaunchHostFunc(nullptr, wait, this));
  }
  void open() { isOpen.store(true); }

private:
  static void CUDART_CB wait(void *gate) {
    const auto end = std::chrono::steady_clock::now() + gatePatience;
    while (!static_cast<Gate *>(gate)->isOpen.load() && std::chrono::steady_clock::now() < end) {
    }
  }

  std::atomic<bool> isOpen{true};
};

class Timer {
public:
  Timer() { must(cudaEventCreate(&after)); }
  void clear() { used = 0; }
  /* Begins a span of work; a call has its own where something that is not timed stands between calls. */
  void begin() {
    if (used == spans.size()) {
      spans.emplace_back();
      must(cudaEventCreate(&spans[used].first));
      must(cudaEventCreate(&spans[used].last));
    }
    must(cudaEventRecord(spans[used].first));
    used += 1;
  }
  /* The end of the work that has been given since. */
  void mark() { must(cudaEventRecord(spans[used - 1].last)); }
  /* Nanoseconds of all spans, and to the end of all work, also of streams that mark() does not wait for. */
  double end() {
    must(cudaDeviceSynchronize());
    must(cudaEventRecord(after));
    must(cudaEventSynchronize(after));
    float all = 0, behind = 0;
    for (size_t each = 0; each < used; each += 1) {
      float span = 0;
      must(cudaEventElapsedTime(&span, spans[each].first, spans[each].last));
      all += span;
    }
    must(cudaEventElapsedTime(&behind, spans[used - 1].last, after));
    return static_cast<double>(behind > hiddenMilliseconds ? all + behind : all) * 1e6;
  }

private:
  struct Span {
    cudaEvent_t first, last;
  };
  std::vector<Span> spans;
  size_t used = 0;
  cudaEvent_t after;
};

class Program {
public:
  double time(const Order &order) {
    std::vector<std::vector<unsigned long long>> words;
    for (const Call &call : order.calls)
      words.push_back(prepare(order, call));
    must(cudaDeviceSynchronize());
    static Timer timer;
    gate.close();
    if (order.cold) flush();
    timer.clear();
    for (size_t call = 0; call < words.size(); call += 1) {
      const bool isTimed = call >= order.lead;
      const bool isApart = kernelwrightVariables(words[call].data(), true);
      if (isTimed && (isApart || call == order.lead)) timer.begin();
      kernelwrightCase(words[call].data());
      if (isTimed && (isApart || call + 1 == words.size())) timer.mark();
      kernelwrightVariables(words[call].data(), false);
    }
    gate.open();
    const double nanoseconds = timer.end();
    for (size_t call = 0; call < order.calls.size(); call += 1)
      keepOutputs(order, call);
    must(cudaGetLastError());
    for (const Call &call : order.calls)
      lookAtGuards(order, memory.set(call.set, order));
    return nanoseconds;
  }

  /* Holds pools, in the place of earlier ones. */
  void hold(std::vector<Pool> &&given) {
    // The runtime makes the context; where the walls or the driver are in its way, this is where it shows.
    const cudaError_t made = cudaFree(nullptr);
    if (made != cudaSuccess)
      throw std::runtime_error(std::string("making a context on the GPU failed with ") +
                               cudaGetErrorName(made));
    pools = std::move(given);
  }

  void giveOutputs(const Channel &channel, const Order &order, size_t call) const {
    for (size_t buffer = 0; buffer < order.sizes.size(); buffer += 1) {
      if (order.outputs[buffer] == 0) continue;
      const std::vector<char> content = left.content(call, buffer);
      channel.write(content.data(), content.size());
    }
  }

private:
  std::vector<unsigned long long> prepare(const Order &order, const Call &call) {
    const std::vector<char *> &set = memory.set(call.set, order);
    for (size_t buffer = 0; buffer < set.size(); buffer += 1) {
      fill(set[buffer], order.sizes[buffer], call.contents[buffer]);
      must(cudaMemset(set[buffer] - order.guard.bytes, order.guard.value, order.guard.bytes));
      must(cudaMemset(set[buffer] + order.sizes[buffer], order.guard.value, order.guard.bytes));
    }
    std::vector<unsigned long long> words;
    for (size_t word = 0; word < order.values.size(); word += 1) {
      const uint64_t buffer = order.buffers[word];
      const uint64_t address = buffer == 0 ? 0 : reinterpret_cast<uint64_t>(set[buffer - 1]);
      words.push_back(address + order.values[word]);
    }
    return words;
  }

  void keepOutputs(const Order &order, size_t call) {
    const std::vector<char *> &set = memory.set(order.calls[call].set, order);
    for (size_t buffer = 0; buffer < set.size(); buffer += 1)
      if (order.outputs[buffer] != 0) must(left.keep(call, buffer, set[buffer], order.sizes[buffer]));
  }

  void fill(char *buffer, size_t bytes, const Content &content) {
    if (content.how == Content::repeated) return must(repeat(buffer, bytes, content.words[0]));
    if (content.how == Content::drawn)
      return must(pools.at(content.words[0]).draw(buffer, bytes, {content.words[1], content.words[2]}));
    must(cudaMemcpy(buffer, content.bytes.data(), bytes, cudaMemcpyHostToDevice));
  }

  static void lookAtGuards(const Order &order, const std::vector<char *> &set) {
    std::vector<unsigned char> content(order.guard.bytes);
    const auto isChanged = [&](size_t at) { return content[at] != order.guard.value; };
    for (size_t buffer = 0; buffer < set.size(); buffer += 1) {
      must(cudaMemcpy(content.data(), set[buffer] + order.sizes[buffer], content.size(),
                      cudaMemcpyDeviceToHost));
      for (size_t at = 0; at < content.size(); at += 1)
        if (isChanged(at)) throw Outside(buffer, static_cast<int64_t>(order.sizes[buffer] + at));
      must(cudaMemcpy(content.data(), set[buffer] - content.size(), content.size(), cudaMemcpyDeviceToHost));
      for (size_t at = content.size(); at > 0; at -= 1)
        if (isChanged(at - 1))
          throw Outside(buffer, static_cast<int64_t>(at) - 1 - static_cast<int64_t>(content.size()));
    }
  }

  Memory memory;
  Flush flush;
  Gate gate;
  std::vector<Pool> pools;
  Left left;
};

struct Reply {
  uint64_t status;
  double nanoseconds;
  std::string message;
};

template <class F> Reply guarded(F &&work) {
  try {
    return {returned, work(), ""};
  } catch (const Outside &found) {
    return {outside, 0, found.what()};
  } catch (const Failure &failure) {
    return {failed, 0, failure.what()};
  } catch (const std::exception &thrown) {
    return {raised, 0, thrown.what()};
  } catch (...) {
    return {raised, 0, "an exception that is no std::exception"};
  }
}

inline void answer(const Channel &channel, const Reply &reply, uint64_t calls) {
  uint64_t words[4] = {reply.status, 0, reply.message.size(), calls};
  std::memcpy(&words[1], &reply.nanoseconds, sizeof(double));
  channel.write(words, sizeof words);
  channel.write(reply.message.data(), reply.message.size());
}

inline void holdPools(const Channel &channel, Program &program, uint64_t count) {
  const std::vector<uint64_t> about = channel.words(2 * count);
  std::vector<Pool> given;
  for (uint64_t each = 0; each < count; each += 1) {
    std::vector<char> content = channel.bytes(about[2 * each + 1]);
    content.pop_back();
    given.emplace_back(about[2 * each], std::move(content));
  }
  answer(channel, guarded([&] { return program.hold(std::move(given)), 0.0; }), 0);
}

inline void serve() {
  const Channel channel;
  Program program;
  Order last{};
  for (;;) {
    const std::vector<uint64_t> head = channel.words(8);
#ifdef KERNELWRIGHT_LAUNCHER
    if (head[0] == code) {
      const std::vector<char> symbol = channel.bytes(head[2]), image = channel.bytes(head[3]);
      answer(channel, guarded([&] { return kernelwrightCode(symbol.data(), image.data()), 0.0; }), 0);
      continue;
    }
#endif
    if (head[0] == ready) {
      answer(channel, {returned, 0, ""}, 0);
      continue;
    }
    if (head[0] == pools) {
      holdPools(channel, program, head[2]);
      continue;
    }
    if (head[0] == give) {
      answer(channel, {returned, 0, ""}, 1);
      program.giveOutputs(channel, last, head[2]);
      continue;
    }
    last = readOrder(channel, head);
    const Reply reply = guarded([&] { return program.time(last); });
    const bool done = reply.status == returned && !last.keeps;
    answer(channel, reply, done ? last.calls.size() : 0);
    if (!done) continue;
    for (size_t call = 0; call < last.calls.size(); call += 1)
      program.giveOutputs(channel, last, call);
  }
}

} // namespace kernelwright_timed

int main() { kernelwright_timed::serve(); }
