// The toolkit's nvcc, for device code that is compiled while a program runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kernelwright {

/** A folder that is gone with this object. Its path is empty when none could be made. */
class TemporaryFolder {
public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  ~TemporaryFolder();
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

/** The bytes of a file; none when it cannot be read. */
std::string contentOf(const std::filesystem::path &path);

struct CompilerRun {
  bool succeeded = false;
  /** What the compiler said, or why it could not be run. */
  std::string said;
};

/** Runs nvcc with these words and waits for it. `folder`: for the file with its output. */
CompilerRun runCompiler(const std::vector<std::string> &words, const std::filesystem::path &folder);

/**
 * Words for a fat binary with what runs, as text that can be read, and the modelled GPU's machine code.
 * `architecture`: what it is compiled for, as `90` or `90a`; what runs everywhere where it is empty. What is
 * newer than the modelled GPU gets machine code of its own architecture.
 */
std::vector<std::string> fatBinaryOptions(const std::string &architecture = "");

} // namespace kernelwright
