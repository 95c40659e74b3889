// Compiles the source text of device code with the toolkit's nvcc.
#pragma once

#include <string>
#include <vector>

namespace kernelwright::compiler {

/** A file that the source includes by name. */
struct Header {
  std::string name;
  std::string text;
};

struct Source {
  /** As the program calls it; messages name it. */
  std::string name;
  std::string text;
  std::vector<Header> headers;
};

struct Compilation {
  bool succeeded = false;
  /** What the compiler said. */
  std::string log;
  /** A fat binary with PTX and machine code. */
  std::string binary;
};

/** Runs the compiler and waits for it. `options`: those of nvcc; `architecture`: as for `fatBinaryOptions`.
 */
Compilation compile(const Source &source, const std::vector<std::string> &options,
                    const std::string &architecture);

} // namespace kernelwright::compiler
