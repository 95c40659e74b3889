#include <cuda_runtime_api.h>

namespace {

struct Error {
  cudaError_t code;
  const char *name;
  const char *text;
};

#define ERROR(number, name, text) {name, #name, text},
constexpr Error kErrors[] = {
#include "device/errors.def"
};
#undef ERROR

// The table's numbers are those of the protocol, and the toolkit's names must agree with them.
#define ERROR(number, name, text) static_assert(name == number, #name);
#include "device/errors.def"
#undef ERROR

const Error *find(cudaError_t code) {
  for (const Error &error : kErrors) {
    if (error.code == code) return &error;
  }
  return nullptr;
}

} // namespace

extern "C" {

const char *cudaGetErrorName(cudaError_t code) {
  const Error *error = find(code);
  return error == nullptr ? "unrecognized error code" : error->name;
}

const char *cudaGetErrorString(cudaError_t code) {
  const Error *error = find(code);
  return error == nullptr ? "unrecognized error code" : error->text;
}

} // extern "C"
