// Images in the formats PGM and PPM, files of numbers, and comparisons, by the names that NVIDIA's samples
// give them. Data that is loaded comes from malloc.
#ifndef KERNELWRIGHT_HELPER_IMAGE_H
#define KERNELWRIGHT_HELPER_IMAGE_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "helper_string.h"

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

namespace kernelwright_helpers {

struct Image {
  unsigned width = 0, height = 0, channels = 0;
  std::vector<unsigned char> bytes;
};

/** Reads the next word of a header, behind comments that begin with #. */
inline bool headerWord(std::istream &file, std::string &word) {
  while (file >> word) {
    if (word[0] != '#') return true;
    std::getline(file, word);
  }
  return false;
}

/** Binary images of 8 bits: P5 and P6. */
inline bool loadImage(const char *name, Image &image) {
  std::ifstream file(name, std::ios::binary);
  std::string kind, width, height, most;
  if (!headerWord(file, kind) || !headerWord(file, width) || !headerWord(file, height) ||
      !headerWord(file, most) || (kind != "P5" && kind != "P6")) {
    std::cerr << name << ": not a readable PGM or PPM image of binary form" << std::endl;
    return false;
  }
  file.get();
  image.width = static_cast<unsigned>(atoi(width.c_str()));
  image.height = static_cast<unsigned>(atoi(height.c_str()));
  image.channels = kind == "P5" ? 1 : 3;
  image.bytes.resize(size_t{image.width} * image.height * image.channels);
  file.read(reinterpret_cast<char *>(image.bytes.data()), static_cast<std::streamsize>(image.bytes.size()));
  return static_cast<size_t>(file.gcount()) == image.bytes.size();
}

inline bool saveImage(const char *name, const Image &image) {
  std::ofstream file(name, std::ios::binary);
  file << (image.channels == 1 ? "P5" : "P6") << "\n" << image.width << "\n" << image.height << "\n255\n";
  file.write(reinterpret_cast<const char *>(image.bytes.data()),
             static_cast<std::streamsize>(image.bytes.size()));
  return file.good();
}

/** Bytes stay what they are; floating values run from 0 to 1. */
template <class Pixel>
Pixel fromByte(unsigned char byte) {
  return std::is_floating_point<Pixel>::value ? static_cast<Pixel>(byte / 255.0f) : static_cast<Pixel>(byte);
}

template <class Pixel>
unsigned char toByte(Pixel pixel) {
  return std::is_floating_point<Pixel>::value ? static_cast<unsigned char>(pixel * 255.0f)
                                              : static_cast<unsigned char>(pixel);
}

/** Room that the caller owns when it brought some, else from malloc. */
template <class Pixel>
void room(Pixel **data, size_t count) {
  if (*data == nullptr) *data = static_cast<Pixel *>(malloc(count * sizeof(Pixel)));
}

template <class Number>
bool readNumbers(const char *name, std::vector<Number> &numbers, size_t count) {
  std::ifstream file(name, std::ios::binary);
  numbers.resize(count);
  file.read(reinterpret_cast<char *>(numbers.data()), static_cast<std::streamsize>(count * sizeof(Number)));
  if (static_cast<size_t>(file.gcount()) == count * sizeof(Number)) return true;
  std::cerr << name << ": the file is missing or shorter than " << count * sizeof(Number) << " bytes"
            << std::endl;
  return false;
}

/** Whether at most that share of the values differs by more than epsilon; a share of 0 allows none. */
template <class Number>
bool isClose(const Number *reference, const Number *data, size_t count, double epsilon, double share) {
  size_t wrong = 0;
  for (size_t at = 0; at < count; ++at) {
    const double apart = std::fabs(static_cast<double>(reference[at]) - static_cast<double>(data[at]));
    if (!(apart <= epsilon)) ++wrong;
  }
  const bool close = static_cast<double>(wrong) <= share * static_cast<double>(count);
  if (!close) std::cerr << wrong << " of " << count << " values differ by more than " << epsilon << std::endl;
  return close;
}

template <class Number>
bool compareFiles(const char *ours, const char *theirs, size_t count, float epsilon, float share, char *program) {
  std::vector<Number> first, second;
  char *path = sdkFindFilePath(theirs, program);
  const bool close = readNumbers(ours, first, count) && readNumbers(path == nullptr ? theirs : path, second, count) &&
                     isClose(second.data(), first.data(), count, epsilon, share);
  free(path);
  return close;
}

inline bool compareImages(const char *ours, const char *theirs, float epsilon, float share) {
  Image first, second;
  if (!loadImage(ours, first) || !loadImage(theirs, second)) return false;
  if (first.width != second.width || first.height != second.height || first.channels != second.channels) {
    std::cerr << ours << " and " << theirs << " are images of different sizes" << std::endl;
    return false;
  }
  return isClose(second.bytes.data(), first.bytes.data(), first.bytes.size(), epsilon, share);
}

}  // namespace kernelwright_helpers

template <class Pixel>
inline bool sdkLoadPGM(const char *file, Pixel **data, unsigned int *width, unsigned int *height) {
  kernelwright_helpers::Image image;
  if (!kernelwright_helpers::loadImage(file, image) || image.channels != 1) return false;
  kernelwright_helpers::room(data, image.bytes.size());
  for (size_t at = 0; at < image.bytes.size(); ++at)
    (*data)[at] = kernelwright_helpers::fromByte<Pixel>(image.bytes[at]);
  *width = image.width;
  *height = image.height;
  return true;
}

/** Three channels of a file as four, of which the last is 0. */
template <class Pixel>
inline bool sdkLoadPPM4(const char *file, Pixel **data, unsigned int *width, unsigned int *height) {
  kernelwright_helpers::Image image;
  if (!kernelwright_helpers::loadImage(file, image) || image.channels != 3) return false;
  const size_t pixels = size_t{image.width} * image.height;
  kernelwright_helpers::room(data, 4 * pixels);
  for (size_t at = 0; at < 4 * pixels; ++at) {
    const unsigned char byte = at % 4 == 3 ? 0 : image.bytes[at / 4 * 3 + at % 4];
    (*data)[at] = kernelwright_helpers::fromByte<Pixel>(byte);
  }
  *width = image.width;
  *height = image.height;
  return true;
}

inline bool sdkLoadPPM4ub(const char *file, unsigned char **data, unsigned int *width, unsigned int *height) {
  return sdkLoadPPM4(file, data, width, height);
}

template <class Pixel>
inline bool sdkSavePGM(const char *file, Pixel *data, unsigned int width, unsigned int height) {
  kernelwright_helpers::Image image{width, height, 1, {}};
  for (size_t at = 0; at < size_t{width} * height; ++at)
    image.bytes.push_back(kernelwright_helpers::toByte(data[at]));
  return kernelwright_helpers::saveImage(file, image);
}

inline bool sdkSavePPM4ub(const char *file, unsigned char *data, unsigned int width, unsigned int height) {
  kernelwright_helpers::Image image{width, height, 3, {}};
  for (size_t at = 0; at < 4 * size_t{width} * height; ++at)
    if (at % 4 != 3) image.bytes.push_back(data[at]);
  return kernelwright_helpers::saveImage(file, image);
}

/** Numbers as text, separated by white space. */
template <class Number>
inline bool sdkReadFile(const char *filename, Number **data, unsigned int *count, bool verbose) {
  std::ifstream file(filename);
  std::vector<Number> numbers;
  for (Number number; file >> number;) numbers.push_back(number);
  if (numbers.empty()) {
    if (verbose) std::cerr << filename << ": no numbers could be read" << std::endl;
    return false;
  }
  kernelwright_helpers::room(data, numbers.size());
  std::copy(numbers.begin(), numbers.end(), *data);
  *count = static_cast<unsigned>(numbers.size());
  return true;
}

template <class Number, class Tolerance>
inline bool sdkWriteFile(const char *filename, const Number *data, unsigned int count, const Tolerance epsilon,
                         bool verbose, bool append = false) {
  std::ofstream file(filename, append ? std::ios::app : std::ios::out);
  file << "# " << epsilon << "\n";
  for (unsigned at = 0; at < count; ++at) file << data[at] << ' ';
  file << std::endl;
  if (!file.good() && verbose) std::cerr << filename << ": the file could not be written" << std::endl;
  return file.good();
}

inline void sdkDumpBin(void *data, unsigned int bytes, const char *filename) {
  std::ofstream(filename, std::ios::binary).write(static_cast<char *>(data), bytes);
}

template <class Number, class Tolerance>
inline bool compareData(const Number *reference, const Number *data, const unsigned int count,
                        const Tolerance epsilon, const float share) {
  return kernelwright_helpers::isClose(reference, data, count, static_cast<double>(epsilon), share);
}

template <class Number, class Tolerance>
inline bool compareDataAsFloatThreshold(const Number *reference, const Number *data, const unsigned int count,
                                        const Tolerance epsilon, const float share) {
  return kernelwright_helpers::isClose(reference, data, count, static_cast<double>(epsilon), share);
}

/** Whether the distance of the vectors is less than epsilon times the reference's length. */
inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int count,
                           const float epsilon) {
  double distance = 0, length = 0;
  for (unsigned at = 0; at < count; ++at) {
    const double apart = static_cast<double>(reference[at]) - data[at];
    distance += apart * apart;
    length += static_cast<double>(reference[at]) * reference[at];
  }
  if (length == 0) return distance == 0;
  return std::sqrt(distance / length) < epsilon;
}

inline bool sdkCompareBin2BinFloat(const char *ours, const char *theirs, const unsigned int count,
                                   const float epsilon, const float share, char *program) {
  return kernelwright_helpers::compareFiles<float>(ours, theirs, count, epsilon, share, program);
}

inline bool sdkCompareBin2BinUint(const char *ours, const char *theirs, unsigned int count, const float epsilon,
                                  const float share, char *program) {
  return kernelwright_helpers::compareFiles<unsigned>(ours, theirs, count, epsilon, share, program);
}

inline bool sdkComparePPM(const char *ours, const char *theirs, const float epsilon, const float share, bool) {
  return kernelwright_helpers::compareImages(ours, theirs, epsilon, share);
}

inline bool sdkComparePGM(const char *ours, const char *theirs, const float epsilon, const float share, bool) {
  return kernelwright_helpers::compareImages(ours, theirs, epsilon, share);
}

#endif
