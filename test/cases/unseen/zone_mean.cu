// Means along circles of latitude of a gridded field, gaps left out: field(time, latitude, longitude).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

static const int kCircles = 361;
static const int kPoints = 720;
static const float kGap = -9.0e33f;

__global__ void zoneMean(const float *field, float *mean, int *used, int rows, int points, float gap)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        int n = 0;
        for (int i = 0; i < points; i++) {
            float value = field[(long)row * points + i];
            if (value != gap) {
                sum += value;
                n++;
            }
        }
        mean[row] = n > 0 ? sum / n : gap;
        used[row] = n;
    }
}

int main(int argc, char **argv)
{
    int times = argc > 1 ? atoi(argv[1]) : 4;
    int rows = times * kCircles;
    size_t all = (size_t)rows * kPoints;
    std::vector<float> field(all), mean(rows);
    srand(11);
    for (size_t k = 0; k < all; k++) {
        int circle = (int)(k / kPoints % kCircles);
        field[k] = 285.0f - 35.0f * fabsf(circle - 180.0f) / 180.0f + 4.0f * rand() / (float)RAND_MAX;
        if (rand() % 40 == 0) field[k] = kGap;
    }
    float *d_field, *d_mean;
    int *d_used;
    cudaMalloc(&d_field, all * sizeof(float));
    cudaMalloc(&d_mean, rows * sizeof(float));
    cudaMalloc(&d_used, rows * sizeof(int));
    cudaMemcpy(d_field, field.data(), all * sizeof(float), cudaMemcpyHostToDevice);
    zoneMean<<<(rows + 127) / 128, 128>>>(d_field, d_mean, d_used, rows, kPoints, kGap);
    if (cudaMemcpy(mean.data(), d_mean, rows * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;

    double worst = 0;
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        int n = 0;
        for (int i = 0; i < kPoints; i++) {
            float value = field[(size_t)r * kPoints + i];
            if (value != kGap) { sum += value; n++; }
        }
        worst = fmax(worst, fabs(mean[r] - sum / n) / fabs(sum / n));
    }
    printf("%d circles, worst relative error %.2g: %s\n", rows, worst, worst < 1e-5 ? "PASS" : "FAIL");
    return worst < 1e-5 ? 0 : 1;
}
