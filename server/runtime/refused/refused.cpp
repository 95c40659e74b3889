// Functions of the CUDA runtime that the virtual GPU lacks. Programs that name them link, are told which one
// they called, and get cudaErrorNotSupported. This file must not include the toolkit's headers: what the
// functions take does not matter here.

namespace kernelwright {

int refuse(const char *function);

} // namespace kernelwright

#define REFUSED(name)                                                                                        \
  extern "C" int name() { return kernelwright::refuse(#name); }
#include "refused/refused.def"
#undef REFUSED
