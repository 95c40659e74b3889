#define SLOTS 48
// Parcels travel along the roads of a depot; each arrives `days` later in a ring of slots. days in [1, SLOTS-1]
__global__ void send_out(int depots, int today, float *stock, float *due, const int *road_start,
                         const int *road_to, const float *share, const unsigned char *days)
{
    int d = blockIdx.x * blockDim.x + threadIdx.x;
    if (d >= depots) return;
    int slot = today % SLOTS;
    float have = stock[d] + due[(size_t)slot * depots + d];
    due[(size_t)slot * depots + d] = 0.f;
    if (have > 0.25f) {
        for (int r = road_start[d]; r < road_start[d + 1]; ++r)
            atomicAdd(&due[(size_t)((today + days[r]) % SLOTS) * depots + road_to[r]], have * share[r]);
        have = 0.f;
    }
    stock[d] = have;
}
