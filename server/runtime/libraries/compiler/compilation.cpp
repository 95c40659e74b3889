#include "libraries/compiler/compilation.hpp"

#include <cstdlib>
#include <filesystem>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/runtime.hpp"

extern char **environ;

namespace kernelwright::compiler {
namespace {

namespace files = std::filesystem;

/** What the virtual GPU runs: code of this capability, whatever GPU is modelled. */
constexpr int kExecutedCapability = 80;

/** A folder that is gone with this object. */
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (files::temp_directory_path() / "kernelwright-nvrtc-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) files::remove_all(path_, ignored);
  }
  const files::path &path() const { return path_; }

private:
  files::path path_;
};

std::string contentOf(const files::path &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

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

/** The messages with the source's own name instead of the file that the compiler saw. */
std::string named(std::string said, const std::string &seen, const std::string &name) {
  for (size_t at = said.find(seen); at != std::string::npos; at = said.find(seen, at + name.size()))
    said.replace(at, seen.size(), name);
  return said;
}

/** Machine code for the facts of the modelled GPU, and for the code that runs. */
std::string targets() {
  const int modelled = 10 * device().attribute(cudaDevAttrComputeCapabilityMajor) +
                       device().attribute(cudaDevAttrComputeCapabilityMinor);
  const int machine = modelled < kExecutedCapability ? kExecutedCapability : modelled;
  return "arch=compute_" + std::to_string(kExecutedCapability) + ",code=[compute_" +
         std::to_string(kExecutedCapability) + ",sm_" + std::to_string(machine) + "]";
}

} // namespace

Compilation compile(const Source &source, const std::vector<std::string> &options) {
  Compilation done;
  const char *compiler = std::getenv("KERNELWRIGHT_NVCC");
  const TemporaryFolder folder;
  if (folder.path().empty()) {
    done.log = "no temporary folder could be made";
    return done;
  }
  const files::path file = folder.path() / "source.cu";
  std::ofstream(file, std::ios::binary) << source.text;
  for (const Header &header : source.headers) {
    const files::path path = (folder.path() / "headers" / header.name).lexically_normal();
    // A name may not lead out of the folder.
    if (path.string().rfind(folder.path().string(), 0) != 0) continue;
    std::error_code ignored;
    files::create_directories(path.parent_path(), ignored);
    std::ofstream(path, std::ios::binary) << header.text;
  }
  const files::path binary = folder.path() / "out.fatbin";
  const files::path output = folder.path() / "log.txt";
  std::vector<std::string> words = {compiler == nullptr ? "nvcc" : compiler, "-fatbin", "-lineinfo"};
  words.insert(words.end(), options.begin(), options.end());
  const std::vector<std::string> own = {"-gencode",        targets(), "-Xfatbin",
                                        "-compress=false", "-I",      (folder.path() / "headers").string(),
                                        file.string(),     "-o",      binary.string()};
  words.insert(words.end(), own.begin(), own.end());
  const int code = run(words, output);
  done.succeeded = code == 0;
  done.log = code < 0 ? words[0] + " could not be run" : named(contentOf(output), file.string(), source.name);
  if (done.succeeded) done.binary = contentOf(binary);
  return done;
}

} // namespace kernelwright::compiler
