#include <mapkit/map.cuh>

void sigmoid(const float* in, float* out, std::size_t n) { mapkit::map(in, out, n, mapkit::Sigmoid{}); }
void square_ints(const int* in, int* out, std::size_t n) { mapkit::map(in, out, n, mapkit::Square{}); }
