#include "proof.h"
#include "hist.cu"
int main() { auto x = whole<unsigned char>(4000, 0, 256); std::vector<uint> w(256); for (int v : x) w[v]++; uint* h = room<uint>(256); histogramm(dev(x), h, 4000); same("h", host(h, 256), w, 0); }
