#include "proof.h"
#include "bitonic_sort.cu"
int main() { auto x = whole<unsigned>(1024, 0, 100000); unsigned* d = dev(x); bitonic_sort(d, 1024); std::sort(x.begin(), x.end()); same("keys", host(d, 1024), x, 0); }
