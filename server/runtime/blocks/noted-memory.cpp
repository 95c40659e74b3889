// What a program makes with new: where a harness is around it the end of each block is known, so that copies
// beyond it are told. Weak, since a program may have functions of its own in their place. Those for arrays
// and without exceptions call these.
#include <cstdlib>
#include <new>

#include "blocks/host-blocks.hpp"

__attribute__((weak)) void *operator new(std::size_t bytes) {
  void *made = std::malloc(bytes == 0 ? 1 : bytes);
  if (made == nullptr) throw std::bad_alloc();
  kernelwright::noteBlock(made, bytes);
  return made;
}

__attribute__((weak)) void operator delete(void *made) noexcept {
  if (made != nullptr) kernelwright::forgetBlock(made);
  std::free(made);
}
