#include <cstdlib>
#include <iostream>
#include <vector>
#include "histogram.cuh"
#include "options.hpp"

int main(int argc, char** argv)
{
    const Options opt = parse(argc, argv);
    std::vector<int> values(opt.count);
    unsigned s = 12345;
    for (auto& v : values) {
        s = s * 1664525u + 1013904223u;
        v = int(s >> 8) % 1000;
    }

    std::vector<unsigned> expected(opt.bins, 0), got(opt.bins, 0);
    for (int v : values) expected[v * opt.bins / 1000]++;

    int* d_values;
    unsigned* d_bins;
    cudaMalloc(&d_values, values.size() * sizeof(int));
    cudaMalloc(&d_bins, opt.bins * sizeof(unsigned));
    cudaMemcpy(d_values, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, opt.bins * sizeof(unsigned));

    launch_histogram(d_values, (int)values.size(), d_bins, opt.bins, 0, 1000);

    cudaMemcpy(got.data(), d_bins, opt.bins * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaFree(d_values);
    cudaFree(d_bins);

    const bool good = got == expected;
    std::cout << (good ? "PASS" : "FAIL") << " (" << opt.bins << " bins)" << std::endl;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
