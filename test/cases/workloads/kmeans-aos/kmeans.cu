#include <cfloat>
#include <cuda_runtime.h>

struct Point { float x, y, z; };
struct Cluster { float x, y, z; int members; };

__global__ void assign_points(const Point* pts, int npts, const Point* centers, int k, int* owner)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < npts; i += blockDim.x * gridDim.x) {
        Point p = pts[i];
        float dmin = FLT_MAX;
        int best = 0;
        for (int c = 0; c < k; c++) {
            float dx = p.x - centers[c].x, dy = p.y - centers[c].y, dz = p.z - centers[c].z;
            float d = dx * dx + dy * dy + dz * dz;
            if (d < dmin) { dmin = d; best = c; }
        }
        owner[i] = best;
    }
}

__global__ void accumulate(const Point* pts, int npts, const int* owner, Cluster* sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= npts) return;
    Cluster* c = &sums[owner[i]];
    atomicAdd(&c->x, pts[i].x);
    atomicAdd(&c->y, pts[i].y);
    atomicAdd(&c->z, pts[i].z);
    atomicAdd(&c->members, 1);
}

__global__ void recenter(Point* centers, const Cluster* sums, int k)
{
    int c = threadIdx.x;
    if (c < k && sums[c].members > 0) {
        float inv = 1.0f / sums[c].members;
        centers[c].x = sums[c].x * inv;
        centers[c].y = sums[c].y * inv;
        centers[c].z = sums[c].z * inv;
    }
}

// k <= 256. All arrays on the device.
void kmeans(const Point* pts, int npts, Point* centers, int k, int* owner, int rounds)
{
    Cluster* sums;
    cudaMalloc(&sums, k * sizeof(Cluster));
    const int tpb = 128, blocks = (npts + tpb - 1) / tpb;
    for (int r = 0; r < rounds; r++) {
        assign_points<<<blocks, tpb>>>(pts, npts, centers, k, owner);
        cudaMemset(sums, 0, k * sizeof(Cluster));
        accumulate<<<blocks, tpb>>>(pts, npts, owner, sums);
        recenter<<<1, 256>>>(centers, sums, k);
    }
    cudaFree(sums);
}
