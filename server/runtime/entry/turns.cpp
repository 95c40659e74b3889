#include "entry/turns.hpp"

#include <csignal>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

#include "blocks/host-blocks.hpp"
#include "device/current-device.hpp"
#include "device/runtime.hpp"
#include "entry/host-work.hpp"
#include "entry/kept-things.hpp"
#include "graphs/waiting-work.hpp"
#include "memory/lent-memory.hpp"
#include "memory/shared-memory.hpp"
#include "memory/transfers.hpp"

namespace kernelwright {
namespace {

std::vector<uint64_t> callBefore;

const char *nameOf(int signal) {
  switch (signal) {
  case SIGSEGV:
    return "a segmentation fault";
  case SIGBUS:
    return "a bus error";
  case SIGFPE:
    return "an arithmetic error (a division by zero, for instance)";
  case SIGILL:
    return "an illegal instruction";
  default:
    return "abort() (a failed assertion, for instance)";
  }
}

/** Host code died: says so, with the place, and ends the process. */
[[noreturn]] void die(int signal, const void *address) {
  std::string message = std::string("the host code ended in ") + nameOf(signal);
  if (signal == SIGSEGV && device().owns(address)) message += ": it uses device memory as if it were its own";
  if (signal == SIGSEGV && reinterpret_cast<uintptr_t>(address) < 4096) message += ": a null pointer";
  post(protocol::turnRequest(protocol::TurnEnds::crashed, message, callers(), 0, {}));
  _exit(128 + signal);
}

void onSignal(int signal, siginfo_t *info, void *) {
  if (signal == SIGSEGV && fetchLent(info->si_addr)) return;
  // A second one, while the first is told, ends the process at once.
  for (int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(each, SIG_DFL);
  die(signal, info->si_addr);
}

/** As the device computes this case, to tell what rounding alone decides. */
Rounds roundingOf(uint32_t flags) {
  if ((flags & protocol::TurnFlags::roundedUp) != 0) return Rounds::up;
  return (flags & protocol::TurnFlags::roundedDown) != 0 ? Rounds::down : Rounds::asUsual;
}

void watchSignals() {
  // The handler talks to the device, for which a stack of its own would have to be large.
  struct sigaction action = {};
  action.sa_sigaction = onSignal;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  for (int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    sigaction(each, &action, nullptr);
}

} // namespace
} // namespace kernelwright

using namespace kernelwright;

extern "C" {

const uint64_t *kernelwrightNextCase(uint32_t status, const char *message) {
  static auto *arguments = new std::vector<uint64_t>;
  device();
  if (status == 0) {
    watchSignals();
    watchBlocks();
  }
  performWaiting();
  // What the host wrote last belongs to the case that ends.
  pushShared();
  lend({});
  const std::string where = status == protocol::TurnEnds::raised ? callers() : "";
  protocol::TurnReply next;
  if (ask(protocol::turnRequest(status, message, where, takeHostSteps(), keptThings()), next) != 0) _exit(0);
  lend(next.buffers);
  const bool othersFirst = (next.flags & protocol::TurnFlags::othersFirst) != 0;
  keepWork(othersFirst || (next.flags & protocol::TurnFlags::latestStreamFirst) != 0,
           othersFirst ? Turn::others : Turn::waited);
  beginRounding(roundingOf(next.flags));
  callFromSecond((next.flags & protocol::TurnFlags::secondDevice) != 0);
  arguments->clear();
  for (const protocol::Word &word : next.arguments)
    arguments->push_back(word.value);
  static uint64_t cases = 0;
  ++cases;
  callBefore.clear();
  if ((next.flags & protocol::TurnFlags::callsTwice) == 0) return arguments->data();
  const size_t half = arguments->size() / 2;
  // Of a program that leaves no work to wait for, one call shows what two do.
  if (cases == 1 || canKeepBack()) callBefore.assign(arguments->begin(), arguments->begin() + half);
  return arguments->data() + half;
}

const uint64_t *kernelwrightCallBefore() { return callBefore.empty() ? nullptr : callBefore.data(); }

void kernelwrightEndCall() { dropUnwaited(); }

void kernelwrightFetch(void *target, const void *source, size_t bytes) {
  performWaiting();
  const Request request = protocol::fetchRequest({addressOf(source), bytes, bytes, 1}, "");
  exchange(request, {}, {target, bytes});
}

void kernelwrightStore(void *target, const void *source, size_t bytes) {
  // As a copy of the default stream's, which does not make other streams' work be done.
  const AtOnce now(nullptr);
  if (synchronize() != cudaSuccess) return;
  for (size_t done = 0; done < bytes;) {
    const size_t piece = bytes - done < kPiece ? bytes - done : kPiece;
    const Request request = protocol::writeRequest({addressOf(target), bytes, bytes, 1}, done, "");
    exchange(request, {static_cast<const char *>(source) + done, piece});
    done += piece;
  }
}
}
