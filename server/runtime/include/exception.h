// Exceptions that name their place, by the names that NVIDIA's samples give them.
#ifndef KERNELWRIGHT_EXCEPTION_H
#define KERNELWRIGHT_EXCEPTION_H

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

template <class Base>
class Exception : public Base {
public:
  explicit Exception(const std::string &message) : Base(message) {}

  [[noreturn]] static void throw_it(const char *file, const int line, const char *message) {
    throw Exception(std::string(file) + ":" + std::to_string(line) + ": " + message);
  }

  [[noreturn]] static void throw_it(const char *file, const int line, const std::string &message) {
    throw_it(file, line, message.c_str());
  }
};

template <class Thrown>
inline void handleException(const Thrown &thrown) {
  std::cerr << thrown.what() << std::endl;
  exit(EXIT_FAILURE);
}

#define RUNTIME_EXCEPTION(message) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, message)
#define LOGIC_EXCEPTION(message) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, message)
#define RANGE_EXCEPTION(message) Exception<std::range_error>::throw_it(__FILE__, __LINE__, message)

#endif
