// What a program has made and not given back.
#pragma once

#include <atomic>

#include "device/protocol.hpp"

namespace kernelwright {

/** How many of each there are. */
struct LiveThings {
  std::atomic<uint64_t> events{0};
  std::atomic<uint64_t> streams{0};
  std::atomic<uint64_t> graphs{0};
};

// Defined wherever it is counted: a program without a harness is linked without this room.
inline LiveThings liveThings;

/** The same with the bytes of the host that the process has taken (malloc, new), and deviceStrays. */
protocol::KeptThings keptThings();

} // namespace kernelwright
