/* k nearest neighbours in 2-D by brute force; reads "x y" lines from a file when one is given */
#include <stdio.h>
#include <stdlib.h>
#include <float.h>

#define K 5

typedef struct { float x, y; } pt;
typedef struct { float dist; int id; } nbr;

__global__ void knn(const pt *pts, nbr *out, int n)
{
    int me = blockIdx.x * blockDim.x + threadIdx.x;
    if (me < n) {
        nbr best[K];
        for (int k = 0; k < K; k++) best[k].dist = FLT_MAX, best[k].id = -1;
        for (int o = 0; o < n; o++) if (o != me) {
            float dx = pts[o].x - pts[me].x, dy = pts[o].y - pts[me].y, d = dx * dx + dy * dy;
            int k = K - 1;
            if (d >= best[k].dist) continue;
            for (; k > 0 && best[k - 1].dist > d; k--) best[k] = best[k - 1];
            best[k].dist = d; best[k].id = o;
        }
        for (int k = 0; k < K; k++) out[me * K + k] = best[k];
    }
}

int main(int argc, char **argv)
{
    int n = 400, i, k, bad = 0;
    pt *pts = (pt *)malloc(n * sizeof(pt));
    for (i = 0; i < n; i++) { pts[i].x = (i * 7919 % 1009) / 10.f; pts[i].y = (i * 104729 % 997) / 10.f; }
    if (argc == 2) {
        FILE *f = fopen(argv[1], "r");
        if (!f) return perror(argv[1]), 1;
        for (n = 0; n < 400 && fscanf(f, "%f %f", &pts[n].x, &pts[n].y) == 2; n++) ;
        fclose(f);
    }
    pt *dp; nbr *dn, *hn = (nbr *)malloc(n * K * sizeof(nbr));
    cudaMalloc((void **)&dp, n * sizeof(pt)); cudaMalloc((void **)&dn, n * K * sizeof(nbr));
    cudaMemcpy(dp, pts, n * sizeof(pt), cudaMemcpyHostToDevice);
    knn<<<(n + 63) / 64, 64>>>(dp, dn, n);
    cudaMemcpy(hn, dn, n * K * sizeof(nbr), cudaMemcpyDeviceToHost);
    for (i = 0; i < n; i++) {
        int closer = 0;
        for (k = 0; k < n; k++) if (k != i) {
            float dx = pts[k].x - pts[i].x, dy = pts[k].y - pts[i].y;
            closer += dx * dx + dy * dy < hn[i * K + K - 1].dist * 0.99999f;
        }
        bad += closer > K - 1;
    }
    printf("%d points, %d bad\n", n, bad);
    return bad ? 1 : 0;
}
