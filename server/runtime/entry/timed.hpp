// The program around a case whose calls are timed on a GPU: it makes buffers, flushes the second-level cache,
// and times calls by events. It speaks over the standard streams that it was started with, and is linked with
// whatever CUDA runtime the calls shall run on. Words are 64 bits, in the machine's order.
//
// A request is eight words (kind, cold, calls, lead, buffers, words, bytes of guard, its value). Of kind
// `run` follow the size of each buffer, for each whether it is an output, for each argument word which buffer
// it is the address of (from 1; 0: a value) and the value; then for each call the set of buffers it uses and
// what these shall hold. The first `lead` calls are not timed. Before and behind each buffer lie bytes of
// guard, which no call may write: of one that did, the message says which buffer (from 0) and which byte from
// its start. The reply is four words (status, nanoseconds of the timed calls as a double, bytes of the
// message, calls), the message, and for each call what its outputs hold. Kind `code` brings a symbol and an
// image: their sizes are the words 2 and 3.
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
#include <string>
#include <unistd.h>
#include <vector>

static void kernelwrightCase(const unsigned long long *words);
#ifdef KERNELWRIGHT_LAUNCHER
static void kernelwrightCode(const char *symbols, const char *image);
/* Copies the content of the module's variables there before a call, and back behind it; whether there are
 * any. */
static bool kernelwrightVariables(const unsigned long long *words, bool before);
#else
static bool kernelwrightVariables(const unsigned long long *, bool) { return false; }
#endif

extern "C" void kernelwrightFetch(void *target, const void *source, unsigned long bytes) {
  cudaMemcpy(target, source, bytes, cudaMemcpyDefault);
}

namespace kernelwright_timed {

enum Kind : uint64_t { run = 1, code = 2 };
enum Status : uint64_t { returned = 1, raised = 2, failed = 4, outside = 8 };
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

/* The streams that requests and replies go over: nothing that the program prints gets among them. */
class Channel {
public:
  Channel() : in(dup(0)), out(dup(1)) {
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(2, 1);
  }
  void read(void *target, size_t bytes) const {
    for (char *at = static_cast<char *>(target); bytes > 0;) {
      const ssize_t got = ::read(in, at, bytes);
      if (got <= 0) _exit(0);
      at += got;
      bytes -= got;
    }
  }
  void write(const void *source, size_t bytes) const {
    for (const char *at = static_cast<const char *>(source); bytes > 0;) {
      const ssize_t put = ::write(out, at, bytes);
      if (put <= 0) _exit(0);
      at += put;
      bytes -= put;
    }
  }
  std::vector<uint64_t> words(size_t count) const {
    std::vector<uint64_t> all(count);
    read(all.data(), count * sizeof(uint64_t));
    return all;
  }
  std::vector<char> bytes(size_t count) const {
    std::vector<char> all(count + 1);
    read(all.data(), count);
    return all;
  }

private:
  int in;
  int out;
};

struct Call {
  uint64_t set;
  std::vector<std::vector<char>> contents;
};

/* So many bytes of one value before and behind each buffer. */
struct Guard {
  size_t bytes;
  int value;
};

struct Order {
  bool cold;
  size_t lead;
  Guard guard;
  std::vector<uint64_t> sizes;
  std::vector<uint64_t> outputs;
  std::vector<uint64_t> buffers;
  std::vector<uint64_t> values;
  std::vector<Call> calls;
};

inline Order readOrder(const Channel &channel, const std::vector<uint64_t> &head) {
  const Guard guard{head[6], static_cast<int>(head[7])};
  Order order{head[1] != 0, head[3], guard, channel.words(head[4]), channel.words(head[4]), {}, {}, {}};
  for (size_t word = 0; word < head[5]; word += 1) {
    const std::vector<uint64_t> pair = channel.words(2);
    order.buffers.push_back(pair[0]);
    order.values.push_back(pair[1]);
  }
  for (size_t call = 0; call < head[2]; call += 1) {
    order.calls.push_back({channel.words(1)[0], {}});
    for (uint64_t size : order.sizes)
      order.calls.back().contents.push_back(channel.bytes(size));
  }
  return order;
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
    must(cudaGetLastError());
    for (const Call &call : order.calls)
      lookAtGuards(order, memory.set(call.set, order));
    return nanoseconds;
  }

  void giveOutputs(const Channel &channel, const Order &order) {
    for (const Call &call : order.calls) {
      const std::vector<char *> &set = memory.set(call.set, order);
      for (size_t buffer = 0; buffer < set.size(); buffer += 1) {
        if (order.outputs[buffer] == 0) continue;
        std::vector<char> content(order.sizes[buffer]);
        cudaMemcpy(content.data(), set[buffer], content.size(), cudaMemcpyDeviceToHost);
        channel.write(content.data(), content.size());
      }
    }
  }

private:
  std::vector<unsigned long long> prepare(const Order &order, const Call &call) {
    const std::vector<char *> &set = memory.set(call.set, order);
    for (size_t buffer = 0; buffer < set.size(); buffer += 1) {
      must(
          cudaMemcpy(set[buffer], call.contents[buffer].data(), order.sizes[buffer], cudaMemcpyHostToDevice));
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

inline void serve() {
  const Channel channel;
  Program program;
  for (;;) {
    const std::vector<uint64_t> head = channel.words(8);
#ifdef KERNELWRIGHT_LAUNCHER
    if (head[0] == code) {
      const std::vector<char> symbol = channel.bytes(head[2]), image = channel.bytes(head[3]);
      answer(channel, guarded([&] { return kernelwrightCode(symbol.data(), image.data()), 0.0; }), 0);
      continue;
    }
#endif
    const Order order = readOrder(channel, head);
    const Reply reply = guarded([&] { return program.time(order); });
    const bool done = reply.status == returned;
    answer(channel, reply, done ? order.calls.size() : 0);
    if (done) program.giveOutputs(channel, order);
  }
}

} // namespace kernelwright_timed

int main() { kernelwright_timed::serve(); }
