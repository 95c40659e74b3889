// What is known of single operations.
#pragma once

#include <string>

namespace kernelwright {

/** Whether a GPU computes the operation in float32 when its tensors hold halves; `aten::mm`. */
bool isWidened(const std::string &name);
/** Whether a widened operation gives this one of its results as float32. */
bool staysWide(const std::string &name, size_t result);
/** Whether tensors of main memory may stand beside those of the GPU. */
bool isMixed(const std::string &name);

} // namespace kernelwright
