#include <cuda_runtime.h>
#include <stdio.h>
__global__ void window_rows(const float *in, float *out, int B, int H, int W, int C, int ws)
{
    int nw = W / ws;
    int nh = H / ws;
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int total = B * H * W * C;
    if (idx >= total) return;
    int c = idx % C; int r = idx / C;
    int j = r % ws; r /= ws;
    int i = r % ws; r /= ws;
    int wx = r % nw; r /= nw;
    int wy = r % nh; int b = r / nh;
    out[idx] = in[((b * H + wy * ws + i) * W + wx * ws + j) * C + c];
}
extern "C" int window_partition(const float *in, float *out, int B, int H, int W, int C, int ws)
{
    if (H % ws != 0 || W % ws != 0) {
        fprintf(stderr, "window size must divide the image\n");
        return -1;
    }
    int total = B * H * W * C;
    window_rows<<<(total + 255) / 256, 256>>>(in, out, B, H, W, C, ws);
    return 0;
}
