// Blocks of the host's memory whose length is known: what the program of a harness has made with new, the
// elements of its vectors among them. Elsewhere nothing is known, and every copy may be right.
#pragma once

#include <cstddef>

namespace kernelwright {

/** From now on blocks are noted: a program that no harness is around has nobody to tell. */
void watchBlocks();
void noteBlock(const void *start, size_t bytes);
void forgetBlock(const void *start);
/**
 * Ends the process with a message where a copy that begins in a block goes beyond its end. Null where blocks
 * are not watched: programs without a harness are linked without this room.
 */
inline void (*requireInBlock)(const void *start, size_t bytes, bool isRead) = nullptr;

} // namespace kernelwright
