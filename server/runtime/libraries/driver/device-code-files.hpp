// Files of device code (.ptx, .cubin, .fatbin) that a build of the program would have made.
#pragma once

#include <string>

namespace kernelwright::driver {

/**
 * The path of a file of device code: the given one where there is such a file, else one that is compiled from
 * the source of its name beside it or beside the program's sources. The given one again when there is none.
 */
std::string deviceCodeFile(const std::string &path);

} // namespace kernelwright::driver
