#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

struct View { double cx, cy, scale; int w, h, maxIter; };

__device__ int escape(double cr, double ci, int limit)
{
    double zr = 0, zi = 0;
    int n = 0;
    while (n < limit && zr * zr + zi * zi < 4.0) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        ++n;
    }
    return n;
}

__global__ void render(uchar3 *pixels, View v)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= v.w || py >= v.h) return;
    int n = escape(v.cx + (px - v.w / 2) * v.scale, v.cy + (py - v.h / 2) * v.scale, v.maxIter);
    unsigned char g = n == v.maxIter ? 0 : 255 - n * 255 / v.maxIter;
    pixels[py * v.w + px] = make_uchar3(g, g / 2, 255 - g);
}

int main(int argc, char **argv)
{
    View v = {-0.5, 0.0, 3.0 / 96, 96, 64, 64};
    if (argc >= 3) { v.w = atoi(argv[1]); v.h = atoi(argv[2]); }
    uchar3 *pix;
    if (cudaMallocManaged(&pix, sizeof(uchar3) * v.w * v.h) != cudaSuccess) return 1;
    dim3 t(16, 8);
    render<<<dim3((v.w + 15) / 16, (v.h + 7) / 8), t>>>(pix, v);
    cudaDeviceSynchronize();
    // binary PPM when a file name is given, otherwise a sum to compare with
    if (argc == 4) {
        FILE *f = fopen(argv[3], "wb");
        if (!f) { perror(argv[3]); return 1; }
        fprintf(f, "P6\n%d %d\n255\n", v.w, v.h);
        fwrite(pix, 3, v.w * v.h, f);
        fclose(f);
    }
    unsigned long sum = 0;
    for (int i = 0; i < v.w * v.h; i++) sum = sum * 31 + pix[i].x;
    printf("checksum %lu\n", sum);
    cudaFree(pix);
    return 0;
}
