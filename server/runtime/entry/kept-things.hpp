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

enum class Rounds { asUsual, up, down };

/**
 * From now on the host rounds so, where as usual is as when this was called first: what a case before has
 * changed is over.
 */
void beginRounding(Rounds rounds);

/**
 * The same with the bytes of the host that the process has taken (malloc, new), and what is no longer as the
 * caller had it: deviceStrays, and 4 for how the host rounds.
 */
protocol::KeptThings keptThings();

} // namespace kernelwright
