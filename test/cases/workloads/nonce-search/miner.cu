#include <cstdint>
#include <cstdio>

#define ROTR(v, s) (((v) >> (s)) | ((v) << (32 - (s))))

__host__ __device__ static uint32_t mix(uint32_t nonce, const uint32_t *block)
{
    uint32_t h[4] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au};
    for (int round = 0; round < 16; round++) {
        uint32_t w = block[round & 7] ^ (nonce * (2 * round + 1));
        uint32_t s0 = ROTR(h[0], 2) ^ ROTR(h[0], 13) ^ ROTR(h[0], 22);
        uint32_t ch = (h[1] & h[2]) ^ (~h[1] & h[3]);
        uint32_t t = s0 + ch + w + 0x428a2f98u * round;
        h[3] = h[2]; h[2] = h[1]; h[1] = ROTR(h[0], 7) + t; h[0] = t;
    }
    return h[0] ^ h[1] ^ h[2] ^ h[3];
}

__global__ void mine(const uint32_t *block, uint32_t start, uint32_t target, uint32_t *best)
{
    __shared__ uint32_t msg[8];
    if (threadIdx.x < 8) msg[threadIdx.x] = block[threadIdx.x];
    __syncthreads();
    uint32_t nonce = start + blockIdx.x * blockDim.x + threadIdx.x;
    if (mix(nonce, msg) < target) atomicMin(best, nonce);
}

int main()
{
    uint32_t block[8], none = 0xffffffffu, found;
    for (uint32_t i = 0; i < 8; i++) block[i] = 0x01234567u * (i + 3);
    const uint32_t target = 1u << 22;
    uint32_t *d_block, *d_best;
    cudaMalloc(&d_block, sizeof block);
    cudaMalloc(&d_best, 4);
    cudaMemcpy(d_block, block, sizeof block, cudaMemcpyHostToDevice);
    cudaMemcpy(d_best, &none, 4, cudaMemcpyHostToDevice);
    uint32_t start = 0;
    do {
        mine<<<16, 256>>>(d_block, start, target, d_best);
        cudaMemcpy(&found, d_best, 4, cudaMemcpyDeviceToHost);
        start += 16 * 256;
    } while (found == none && start < 1u << 16);
    printf("nonce %u hash %08x\n", found, mix(found, block));
    uint32_t want = 0;
    while (mix(want, block) >= target) want++;
    return want == found ? 0 : 1;
}
