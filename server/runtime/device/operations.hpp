// Made of device-protocol.json by `npm run protocols`: change it there.
// clang-format off
#pragma once

#include <cstddef>
#include <cstdint>

namespace kernelwright {

/** Bytes before the body of a request or a reply. */
constexpr size_t kHeaderBytes = 16;

enum class Operation : uint32_t {
  hello = 1,
  allocate = 2,
  free = 3,
  write = 4,
  read = 5,
  fill = 6,
  copy = 7,
  load = 8,
  launch = 9,
  synchronize = 10,
  mark = 11,
  occupancy = 12,
  memory = 13,
  reset = 14,
  elapsed = 15,
  limit = 16,
  fetch = 17,
  tell = 18,
  misuse = 19,
  image = 20,
  drop = 21,
  link = 22,
  turn = 23,
  refetch = 24,
};

} // namespace kernelwright
