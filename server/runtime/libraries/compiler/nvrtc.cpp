// NVRTC's functions: device code that a program compiles while it runs.
#include <nvrtc.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>

#include "libraries/compiler/compilation.hpp"
#include "modules/fatbinary.hpp"

struct _nvrtcProgram {
  kernelwright::compiler::Source source;
  std::vector<std::string> expressions;
  /** What the expressions are called in the compiled code. */
  std::map<std::string, std::string> lowered;
  kernelwright::compiler::Compilation done;
  std::string ptx;
};

namespace kernelwright::compiler {
namespace {

constexpr int kArchitectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

bool begins(const std::string &word, const char *with) { return word.rfind(with, 0) == 0; }

/** Options whose work ours does itself: which GPU the code is for, and how the result is packed. */
bool isOwn(const std::string &option) {
  const char *names[] = {"--gpu-architecture",
                         "-arch",
                         "--relocatable-device-code",
                         "-rdc",
                         "--device-c",
                         "-dc",
                         "--device-w",
                         "-dw",
                         "-lineinfo",
                         "--generate-line-info",
                         "--dopt",
                         "-dopt",
                         "--extra-device-vectorization",
                         "--minimal",
                         "-minimal"};
  for (const char *name : names) {
    if (option == name || begins(option, (std::string(name) + "=").c_str())) return true;
  }
  return false;
}

/** Whether an option's value is the next word. */
bool takesNext(const std::string &option) {
  return option == "--gpu-architecture" || option == "-arch" || option == "-dopt";
}

struct Options {
  std::vector<std::string> compilers;
  /** What `-arch` names: `90` of `compute_90` and of `sm_90`; empty where nothing is asked. */
  std::string architecture;
  /** Why NVRTC would not take the options; empty where it would. */
  std::string fault;
};

/** The number of an architecture that NVRTC knows, perhaps with a letter; empty for any other word. */
std::string architectureOf(const std::string &word) {
  for (const char *prefix : {"compute_", "sm_"}) {
    if (!begins(word, prefix)) continue;
    const std::string name = word.substr(std::strlen(prefix));
    size_t digits = 0;
    while (digits < name.size() && std::isdigit(static_cast<unsigned char>(name[digits])))
      ++digits;
    const std::string letter = name.substr(digits);
    const int number = digits == 0 || digits > 3 ? 0 : std::stoi(name.substr(0, digits));
    const bool isKnown =
        std::find(std::begin(kArchitectures), std::end(kArchitectures), number) != std::end(kArchitectures);
    const bool isLetter =
        letter.empty() || (number >= 90 && letter == "a") || (number >= 100 && letter == "f");
    return isKnown && isLetter ? name : "";
  }
  return "";
}

bool isArchitecture(const std::string &option) {
  return begins(option, "--gpu-architecture") || begins(option, "-arch");
}

Options optionsFor(int count, const char *const *given) {
  Options options;
  for (int index = 0; index < count; ++index) {
    std::string option = given[index];
    if (!isOwn(option)) {
      options.compilers.push_back(option);
      continue;
    }
    const size_t equals = option.find('=');
    const bool isNext = equals == std::string::npos && takesNext(option) && index + 1 < count;
    const std::string value =
        isNext ? given[++index] : option.substr(equals == std::string::npos ? option.size() : equals + 1);
    if (!isArchitecture(option)) continue;
    options.architecture = architectureOf(value);
    if (options.architecture.empty())
      options.fault = "nvrtc: error: invalid value for --gpu-architecture (-arch): " + value + "\n";
  }
  return options;
}

/** A variable for each expression, so that the compiler makes what it names and says its name. */
std::string withExpressions(const _nvrtcProgram &program) {
  std::string text = program.source.text;
  for (size_t index = 0; index < program.expressions.size(); ++index)
    text += "\nextern \"C\" __device__ __attribute__((used)) const void *const kernelwright_name_" +
            std::to_string(index) + " = (const void *)(" + program.expressions[index] + ");\n";
  return text;
}

/** Takes the variables out of the PTX again, and what they name from them. */
void readExpressions(_nvrtcProgram &program) {
  for (size_t index = 0; index < program.expressions.size(); ++index) {
    const std::string variable = "kernelwright_name_" + std::to_string(index);
    const size_t at = program.ptx.find(variable);
    const size_t begin = program.ptx.rfind('\n', at) + 1;
    const size_t end = program.ptx.find(';', at);
    if (at == std::string::npos || end == std::string::npos) continue;
    std::string value = program.ptx.substr(at, end - at);
    value = value.substr(value.find_last_of("={( ") + 1);
    program.lowered[program.expressions[index]] = value.substr(0, value.find_first_of(")} "));
    program.ptx.erase(begin, end + 1 - begin);
  }
}

nvrtcResult give(const std::string &content, size_t *size, char *bytes, bool isText) {
  const size_t whole = content.size() + (isText ? 1 : 0);
  if (size != nullptr) *size = whole;
  if (bytes != nullptr) std::memcpy(bytes, content.c_str(), whole);
  return NVRTC_SUCCESS;
}

nvrtcResult giveCode(nvrtcProgram program, const std::string &code, size_t *size, char *bytes) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!program->done.succeeded) return NVRTC_ERROR_INVALID_PROGRAM;
  return give(code, size, bytes, &code == &program->ptx);
}

} // namespace
} // namespace kernelwright::compiler

using namespace kernelwright;
using namespace kernelwright::compiler;

extern "C" {

const char *nvrtcGetErrorString(nvrtcResult result) {
  static const char *const names[] = {"NVRTC_SUCCESS",
                                      "NVRTC_ERROR_OUT_OF_MEMORY",
                                      "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                      "NVRTC_ERROR_INVALID_INPUT",
                                      "NVRTC_ERROR_INVALID_PROGRAM",
                                      "NVRTC_ERROR_INVALID_OPTION",
                                      "NVRTC_ERROR_COMPILATION",
                                      "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                      "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                      "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                      "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                      "NVRTC_ERROR_INTERNAL_ERROR",
                                      "NVRTC_ERROR_TIME_FILE_WRITE_FAILED"};
  const size_t number = static_cast<size_t>(result);
  return number < sizeof names / sizeof *names ? names[number] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *major = CUDART_VERSION / 1000;
  *minor = CUDART_VERSION % 1000 / 10;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
  *count = static_cast<int>(sizeof kArchitectures / sizeof *kArchitectures);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *all) {
  std::memcpy(all, kArchitectures, sizeof kArchitectures);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *text, const char *name, int headers,
                               const char *const *contents, const char *const *names) {
  if (program == nullptr || text == nullptr || headers < 0) return NVRTC_ERROR_INVALID_INPUT;
  *program = new _nvrtcProgram;
  (*program)->source.text = text;
  (*program)->source.name = name == nullptr || *name == '\0' ? "default_program" : name;
  for (int index = 0; index < headers; ++index)
    (*program)->source.headers.push_back({names[index], contents[index]});
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  if (program == nullptr || *program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  const Options read = optionsFor(count, options);
  if (!read.fault.empty()) {
    program->done = {};
    program->done.log = read.fault;
    return NVRTC_ERROR_INVALID_OPTION;
  }
  Source source = program->source;
  source.text = withExpressions(*program);
  program->done = compile(source, read.compilers, read.architecture);
  if (!program->done.succeeded) return NVRTC_ERROR_COMPILATION;
  program->ptx = readImage(program->done.binary.data()).ptx;
  readExpressions(*program);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size) {
  return giveCode(program, program->ptx, size, nullptr);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx) {
  return giveCode(program, program->ptx, nullptr, ptx);
}

// With the machine code comes the PTX, which is what runs; without it when names were taken out.
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size) {
  if (!program->expressions.empty()) return nvrtcGetPTXSize(program, size);
  return giveCode(program, program->done.binary, size, nullptr);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin) {
  if (!program->expressions.empty()) return nvrtcGetPTX(program, cubin);
  return giveCode(program, program->done.binary, nullptr, cubin);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  return give(program->done.log, size, nullptr, true);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  return give(program->done.log, nullptr, log, true);
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (program->done.succeeded) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  program->expressions.push_back(expression);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!program->done.succeeded) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  const auto found = program->lowered.find(expression);
  if (found == program->lowered.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *name = found->second.c_str();
  return NVRTC_SUCCESS;
}

} // extern "C"
