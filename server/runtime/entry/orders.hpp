// What the program around timed calls is asked, over the standard streams that it was started with. Words are
// 64 bits, in the machine's order.
//
// A request is eight words (kind, flags, calls, lead, buffers, words, bytes of guard, its value). Of kind
// `run` follow the size of each buffer, for each whether it is an output, for each argument word which buffer
// it is the address of (from 1; 0: a value) and the value; then for each call the set of buffers it uses and
// what these shall hold. The first `lead` calls are not timed. Before and behind each buffer lie bytes of
// guard, which no call may write: of one that did, the message says which buffer (from 0) and which byte from
// its start. The reply is four words (status, nanoseconds of the timed calls as a double, bytes of the
// message, calls), the message, and for each call what its outputs hold. With the flag `keeps` these stay
// until kind `give` asks for those of a call (word 2). Kind `code` brings a symbol and an image: their sizes
// are the words 2 and 3. Kind `pools` brings what contents are drawn from (`contents.hpp`): as many as word 2
// says, for each the bytes of an element and of the whole. Kind `ready` is answered when the process has done
// what needs no GPU.
#pragma once
#include <cstdint>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace kernelwright_timed {

enum Kind : uint64_t { run = 1, code = 2, pools = 3, give = 4, ready = 5 };
enum Flag : uint64_t { cold = 1, keeps = 2 };
enum Status : uint64_t { returned = 1, raised = 2, failed = 4, outside = 8 };
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

/* What a buffer holds before a call. */
struct Content {
  enum How : uint64_t { given = 0, repeated = 1, drawn = 2 };
  uint64_t how;
  std::vector<char> bytes;
  /* The pattern; or the pool, the seed and the mask. */
  std::vector<uint64_t> words;
};

struct Call {
  uint64_t set;
  std::vector<Content> contents;
};

/* So many bytes of one value before and behind each buffer. */
struct Guard {
  size_t bytes;
  int value;
};

struct Order {
  bool cold;
  bool keeps;
  size_t lead;
  Guard guard;
  std::vector<uint64_t> sizes;
  std::vector<uint64_t> outputs;
  std::vector<uint64_t> buffers;
  std::vector<uint64_t> values;
  std::vector<Call> calls;
};

inline Content readContent(const Channel &channel, uint64_t size) {
  const uint64_t how = channel.words(1)[0];
  if (how == Content::repeated) return {how, {}, channel.words(1)};
  if (how == Content::drawn) return {how, {}, channel.words(3)};
  return {how, channel.bytes(size), {}};
}

inline Order readOrder(const Channel &channel, const std::vector<uint64_t> &head) {
  const Guard guard{head[6], static_cast<int>(head[7])};
  Order order{(head[1] & cold) != 0,
              (head[1] & keeps) != 0,
              head[3],
              guard,
              channel.words(head[4]),
              channel.words(head[4]),
              {},
              {},
              {}};
  for (size_t word = 0; word < head[5]; word += 1) {
    const std::vector<uint64_t> pair = channel.words(2);
    order.buffers.push_back(pair[0]);
    order.values.push_back(pair[1]);
  }
  for (size_t call = 0; call < head[2]; call += 1) {
    order.calls.push_back({channel.words(1)[0], {}});
    for (uint64_t size : order.sizes)
      order.calls.back().contents.push_back(readContent(channel, size));
  }
  return order;
}

} // namespace kernelwright_timed
