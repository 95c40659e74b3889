#include "proof.h"
#include "radix.cu"
int main() { for (int n : {5, 128, 5000}) { std::vector<uint32_t> x(n); for (auto& v : x) v = bits() * 16u + bits() % 16; auto w = x; std::sort(w.begin(), w.end()); radix_sort(x.data(), n); same("keys", x, w, 0); } }
