#include <stdio.h>
#include <stdlib.h>
#include "timer.h"
#include "scan.cu"

int main(int argc, char **argv)
{
    unsigned int n = 5000;
    if (argc == 2) n = strtoul(argv[1], 0, 10);
    Timer timer;
    startTime(&timer);
    float *in = (float *)malloc(n * sizeof(float)), *out = (float *)malloc(n * sizeof(float));
    for (unsigned int i = 0; i < n; i++) in[i] = (float)(i % 10);
    stopTime(&timer);
    printf("set up in %f s\n", elapsedTime(timer));

    float *d_in, *d_out;
    cudaMalloc((void **)&d_in, n * sizeof(float));
    cudaMalloc((void **)&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in, n * sizeof(float), cudaMemcpyHostToDevice);
    scan(d_in, d_out, n);
    cudaMemcpy(out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);

    float run = 0;
    for (unsigned int i = 0; i < n; i++) {
        run += in[i];
        if (out[i] != run) { printf("wrong at %u: %f, expected %f\n", i, out[i], run); return 1; }
    }
    puts("TEST PASSED");
    return 0;
}
