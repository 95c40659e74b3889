#include "modules/toolkit-compiler.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/runtime.hpp"

extern char **environ;

namespace kernelwright {
namespace {

namespace files = std::filesystem;

/** What the virtual GPU runs: code of this capability, whatever GPU is modelled. */
constexpr int kExecutedCapability = 80;

/** Runs a command whose output goes to a file. Gives its exit code, or -1. */
int run(const std::vector<std::string> &words, const files::path &output) {
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int state = 0;
  if (failed != 0 || waitpid(child, &state, 0) < 0) return -1;
  return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

} // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (files::temp_directory_path() / "kernelwright-nvcc-XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) files::remove_all(path_, ignored);
}

std::string contentOf(const files::path &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

CompilerRun runCompiler(const std::vector<std::string> &words, const files::path &folder) {
  const char *compiler = std::getenv("KERNELWRIGHT_NVCC");
  std::vector<std::string> command = {compiler == nullptr ? "nvcc" : compiler};
  command.insert(command.end(), words.begin(), words.end());
  const files::path output = folder / "log.txt";
  const int code = run(command, output);
  return {code == 0, code < 0 ? command[0] + " could not be run" : contentOf(output)};
}

std::vector<std::string> fatBinaryOptions(const std::string &architecture) {
  const int modelled = 10 * device().attribute(cudaDevAttrComputeCapabilityMajor) +
                       device().attribute(cudaDevAttrComputeCapabilityMinor);
  const std::string asked = architecture.empty() ? std::to_string(kExecutedCapability) : architecture;
  const int least = std::max(kExecutedCapability, std::atoi(asked.c_str()));
  // Code of one architecture alone has no other machine code.
  const bool isOwn = std::isalpha(static_cast<unsigned char>(asked.back())) != 0;
  const std::string machine = isOwn ? asked : std::to_string(std::max(least, modelled));
  const std::string executed = "compute_" + asked;
  return {"-fatbin",  "-lineinfo",
          "-gencode", "arch=" + executed + ",code=[" + executed + ",sm_" + machine + "]",
          "-Xfatbin", "-compress=false"};
}

} // namespace kernelwright
