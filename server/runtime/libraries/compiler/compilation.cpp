#include "libraries/compiler/compilation.hpp"

#include <fstream>

#include "modules/toolkit-compiler.hpp"

namespace kernelwright::compiler {
namespace {

namespace files = std::filesystem;

/** The messages with the source's own name instead of the file that the compiler saw. */
std::string named(std::string said, const std::string &seen, const std::string &name) {
  for (size_t at = said.find(seen); at != std::string::npos; at = said.find(seen, at + name.size()))
    said.replace(at, seen.size(), name);
  return said;
}

/** Where the source includes from besides what the options name: NVRTC looks beside the named file, too. */
std::string folderOf(const std::string &name) {
  const std::string folder = files::path(name).parent_path().string();
  return folder.empty() ? "." : folder;
}

} // namespace

Compilation compile(const Source &source, const std::vector<std::string> &options,
                    const std::string &architecture) {
  Compilation done;
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
  std::vector<std::string> words = fatBinaryOptions(architecture);
  words.insert(words.end(), options.begin(), options.end());
  const std::vector<std::string> own = {
      "-I",           (folder.path() / "headers").string(), "-I", folderOf(source.name), file.string(), "-o",
      binary.string()};
  words.insert(words.end(), own.begin(), own.end());
  const CompilerRun run = runCompiler(words, folder.path());
  done.succeeded = run.succeeded;
  done.log = named(run.said, file.string(), source.name);
  if (done.succeeded) done.binary = contentOf(binary);
  return done;
}

} // namespace kernelwright::compiler
