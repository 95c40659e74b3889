#include "entry/kept-things.hpp"

#include <cfenv>
#include <malloc.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "device/current-device.hpp"

namespace kernelwright {
namespace {

uint64_t takenBytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  const struct mallinfo2 taken = mallinfo2();
  return static_cast<uint64_t>(taken.uordblks) + static_cast<uint64_t>(taken.hblkhd);
#else
  // Counted in 32 bits, or not at all.
  return 0;
#endif
}

/** How numbers are rounded, and whether small ones become zero; what has come up since is no part of it. */
uint32_t arithmeticControl() {
#if defined(__SSE__)
  return _mm_getcsr() & ~uint32_t{_MM_EXCEPT_MASK};
#else
  return static_cast<uint32_t>(std::fegetround());
#endif
}

uint32_t arithmeticOfCaller = arithmeticControl();

constexpr uint32_t kArithmeticStrays = 4;

} // namespace

void beginRounding(Rounds rounds) {
  // As the program was started: options of its build may have set it.
  static const std::fenv_t usual = [] {
    std::fenv_t now;
    std::fegetenv(&now);
    return now;
  }();
  std::fesetenv(&usual);
  if (rounds != Rounds::asUsual) std::fesetround(rounds == Rounds::up ? FE_UPWARD : FE_DOWNWARD);
  arithmeticOfCaller = arithmeticControl();
}

protocol::KeptThings keptThings() {
  const uint32_t strays = arithmeticControl() == arithmeticOfCaller ? 0 : kArithmeticStrays;
  return {liveThings.events, liveThings.streams, liveThings.graphs, takenBytes(), deviceStrays() | strays};
}

} // namespace kernelwright
