// A program that loads device code by name comes with a build that makes the file first. Here the program
// alone is run, so that a file that is not there is compiled when it is opened.
#include "libraries/driver/device-code-files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <sstream>
#include <vector>

#include "device/runtime.hpp"
#include "modules/toolkit-compiler.hpp"

namespace kernelwright::driver {
namespace {

namespace files = std::filesystem;

bool isThere(const files::path &path) {
  std::error_code ignored;
  return files::is_regular_file(path, ignored);
}

bool isDeviceCode(const files::path &path) {
  const std::string ending = path.extension().string();
  return ending == ".ptx" || ending == ".cubin" || ending == ".fatbin";
}

std::vector<std::string> linesOf(const char *name) {
  const char *text = std::getenv(name);
  std::istringstream stream(text == nullptr ? "" : text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/** `scale.sm_80` and `scale64`, as builds name what they make of `scale.cu`, and the name itself first. */
std::vector<std::string> stemsOf(std::string stem) {
  std::vector<std::string> stems = {stem};
  for (const char *mark : {".sm_", ".compute_", "_sm_", "_sm", "-sm_", "_64", "64"}) {
    const size_t at = stem.rfind(mark);
    const bool isEnd = at != std::string::npos && at > 0 &&
                       stem.find_first_not_of("0123456789a", at + std::strlen(mark)) == std::string::npos;
    if (isEnd) stems.push_back(stem.substr(0, at));
  }
  return stems;
}

/** The source that a file of device code is made of; empty when none has its name. */
files::path sourceOf(const files::path &path) {
  std::vector<files::path> folders = {path.parent_path()};
  for (const std::string &folder : linesOf("KERNELWRIGHT_SOURCE_FOLDERS"))
    folders.push_back(folder);
  for (const std::string &stem : stemsOf(path.stem().string())) {
    for (const files::path &folder : folders) {
      const files::path source = folder / (stem + ".cu");
      if (isThere(source)) return source;
    }
  }
  return {};
}

/** Compiles the source as the file's name asks for. Empty when that fails, which is told. */
std::string made(const files::path &path, const files::path &source) {
  const files::path folder = std::getenv("KERNELWRIGHT_MADE_FILES");
  const files::path file = folder / path.filename();
  std::vector<std::string> words = fatBinaryOptions();
  if (path.extension() == ".ptx") words = {"-ptx", "-lineinfo", "-arch=compute_80"};
  for (const std::string &word : linesOf("KERNELWRIGHT_DEVICE_OPTIONS"))
    words.push_back(word);
  words.insert(words.end(), {source.string(), "-o", file.string()});
  const CompilerRun run = runCompiler(words, folder);
  if (!run.succeeded) {
    tell(path.filename().string() + " is not there, and " + source.string() +
         ", which it would be made of, does not compile: " + run.said);
    return "";
  }
  tell(path.filename().string() + " is not there: it was made of " + source.string() +
       ", as a build of the program would make it");
  return file.string();
}

} // namespace

std::string deviceCodeFile(const std::string &path) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  if (!isDeviceCode(path) || isThere(path) || std::getenv("KERNELWRIGHT_MADE_FILES") == nullptr) return path;
  const std::lock_guard<std::mutex> lock(mutex);
  // Programs look for a file in many folders; one of its name is made once.
  const files::path source = sourceOf(path);
  if (source.empty()) return path;
  const auto found = known.find(files::path(path).filename().string());
  if (found != known.end()) return found->second.empty() ? path : found->second;
  const std::string file = made(path, source);
  known[files::path(path).filename().string()] = file;
  return file.empty() ? path : file;
}

namespace {

using Open = FILE *(*)(const char *, const char *);

/** Opens a file that is to be read; one of device code is made when it is missing. */
FILE *openMaking(const char *function, const char *path, const char *mode) {
  const Open open = reinterpret_cast<Open>(dlsym(RTLD_NEXT, function));
  FILE *file = open(path, mode);
  if (file != nullptr || errno != ENOENT || path == nullptr || mode == nullptr || *mode != 'r') return file;
  const std::string made = deviceCodeFile(path);
  if (made == path) {
    errno = ENOENT;
    return nullptr;
  }
  return open(made.c_str(), mode);
}

} // namespace
} // namespace kernelwright::driver

// They stand before the C library's: programs read such files by themselves, and streams open theirs so.
extern "C" {

FILE *fopen(const char *path, const char *mode) {
  return kernelwright::driver::openMaking("fopen", path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
  return kernelwright::driver::openMaking("fopen64", path, mode);
}

} // extern "C"
