// Command lines and files of a program, by the names that NVIDIA's samples give them. Written for programs
// that came without the samples' Common folder; a header of the program's own goes first.
#ifndef KERNELWRIGHT_HELPER_STRING_H
#define KERNELWRIGHT_HELPER_STRING_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef STRCPY
#define STRCPY(target, size, source) strcpy(target, source)
#endif
#ifndef FOPEN
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#endif
#ifndef FOPEN_FAIL
#define FOPEN_FAIL(file) ((file) == nullptr)
#endif
#ifndef SSCANF
#define SSCANF sscanf
#endif
#ifndef SPRINTF
#define SPRINTF sprintf
#endif

/** How many of the first characters are the delimiter. */
inline int stringRemoveDelimiter(char delimiter, const char *string) {
  int count = 0;
  while (string[count] != '\0' && string[count] == delimiter) ++count;
  return count;
}

/** Points `extension` behind the last dot of a name. Gives where that is, 0 when there is none. */
inline int getFileExtension(char *filename, char **extension) {
  char *dot = strrchr(filename, '.');
  *extension = dot == nullptr ? nullptr : dot + 1;
  return dot == nullptr ? 0 : static_cast<int>(dot + 1 - filename);
}

namespace kernelwright_helpers {

/** What follows the name in `-name` or `-name=value`, any number of dashes; nullptr where it is not given. */
inline const char *argumentOf(int argc, const char **argv, const char *name) {
  const size_t length = strlen(name);
  for (int at = 1; at < argc; ++at) {
    const char *given = argv[at] + stringRemoveDelimiter('-', argv[at]);
    if (given == argv[at] || strncasecmp(given, name, length) != 0) continue;
    if (given[length] == '\0' || given[length] == '=') return given + length;
  }
  return nullptr;
}

}  // namespace kernelwright_helpers

inline bool checkCmdLineFlag(const int argc, const char **argv, const char *name) {
  return kernelwright_helpers::argumentOf(argc, argv, name) != nullptr;
}

template <class Number>
inline bool getCmdLineArgumentValue(const int argc, const char **argv, const char *name, Number *value) {
  const char *found = kernelwright_helpers::argumentOf(argc, argv, name);
  if (found != nullptr && *found == '=') *value = static_cast<Number>(atoi(found + 1));
  return found != nullptr;
}

/** 0 where the argument is not given. */
inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *name) {
  const char *found = kernelwright_helpers::argumentOf(argc, argv, name);
  return found != nullptr && *found == '=' ? atoi(found + 1) : 0;
}

/** 0 where the argument is not given. */
inline float getCmdLineArgumentFloat(const int argc, const char **argv, const char *name) {
  const char *found = kernelwright_helpers::argumentOf(argc, argv, name);
  return found != nullptr && *found == '=' ? static_cast<float>(atof(found + 1)) : 0.0f;
}

/** The text lies in `argv`. */
inline bool getCmdLineArgumentString(const int argc, const char **argv, const char *name, char **value) {
  const char *found = kernelwright_helpers::argumentOf(argc, argv, name);
  *value = found != nullptr && *found == '=' ? const_cast<char *>(found + 1) : nullptr;
  return *value != nullptr;
}

/** The path of a file that lies in the present folder, its `data`, or those of up to three folders above; nullptr
 * where there is none. The caller frees it.
 */
inline char *sdkFindFilePath(const char *filename, const char *) {
  std::string above;
  for (int level = 0; level < 4; ++level, above += "../") {
    for (const char *folder : {"", "data/", "Data/", "Common/data/"}) {
      const std::string path = above + folder + filename;
      if (std::ifstream(path).good()) return strdup(path.c_str());
    }
  }
  return nullptr;
}

#endif
