#include "entry/host-work.hpp"

#include <atomic>

namespace kernelwright {
namespace {

std::atomic<uint64_t> stepsOfEndedThreads;
// Without a constructor, so that a step is one addition.
thread_local uint64_t steps = 0;

/** Adds up what a thread has passed when it ends. */
struct ThreadEnd {
  bool isWatched = false;
  ~ThreadEnd() { stepsOfEndedThreads += steps; }
};

thread_local ThreadEnd threadEnd;

} // namespace

uint64_t takeHostSteps() {
  const uint64_t all = stepsOfEndedThreads.exchange(0) + steps;
  steps = 0;
  return all;
}

} // namespace kernelwright

/** The compiler calls it at each basic block of host code (-fsanitize-coverage=trace-pc). */
extern "C" void __sanitizer_cov_trace_pc() {
  if (kernelwright::steps++ == 0) kernelwright::threadEnd.isWatched = true;
}
