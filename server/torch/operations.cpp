#include "operations.hpp"

#include <unordered_set>

namespace kernelwright {
namespace {

using Names = std::unordered_set<std::string>;

#define WIDENED(name) "aten::" #name,
#define STATISTICS(name)
#define MIXED(name)
const Names widened = {
#include "operations.def"
};
#undef WIDENED
#undef STATISTICS
#define WIDENED(name)
#define STATISTICS(name) "aten::" #name,
const Names statistics = {
#include "operations.def"
};
#undef STATISTICS
#undef MIXED
#define STATISTICS(name)
#define MIXED(name) "aten::" #name,
const Names mixed = {
#include "operations.def"
};

} // namespace

bool isWidened(const std::string &name) { return widened.count(name) > 0; }

bool staysWide(const std::string &name, size_t result) { return result > 0 && statistics.count(name) > 0; }

bool isMixed(const std::string &name) { return mixed.count(name) > 0; }

} // namespace kernelwright
