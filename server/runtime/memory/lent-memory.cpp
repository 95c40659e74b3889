#include "memory/lent-memory.hpp"

#include "memory/shared-memory.hpp"

namespace kernelwright {
namespace {

std::vector<protocol::LentBuffer> &untouched() {
  static auto *all = new std::vector<protocol::LentBuffer>;
  return *all;
}

std::vector<protocol::LentBuffer> &touched() {
  static auto *all = new std::vector<protocol::LentBuffer>;
  return *all;
}

bool holds(const protocol::LentBuffer &buffer, const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer) - buffer.address < buffer.bytes;
}

} // namespace

void lend(const std::vector<protocol::LentBuffer> &buffers) {
  for (const protocol::LentBuffer &each : touched())
    unshareWindow(each.address);
  touched().clear();
  untouched() = buffers;
}

bool isLent(const void *pointer) {
  for (const protocol::LentBuffer &each : untouched()) {
    if (holds(each, pointer)) return true;
  }
  return false;
}

bool fetchLent(const void *pointer) {
  auto &waiting = untouched();
  for (size_t index = 0; index < waiting.size(); ++index) {
    const protocol::LentBuffer buffer = waiting[index];
    if (!holds(buffer, pointer)) continue;
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(index));
    touched().push_back(buffer);
    return shareVariable(buffer.address, buffer.bytes);
  }
  return false;
}

} // namespace kernelwright
