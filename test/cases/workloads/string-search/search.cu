#include <cstdio>
#include <cstring>
#include <string>

__constant__ char pattern[64];

/* counts occurrences (overlapping ones too) and keeps the position of the first */
__global__ void find_all(const char *text, int text_len, int pat_len, int *count, int *first)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + pat_len <= text_len; i += gridDim.x * blockDim.x) {
        int k = 0;
        while (k < pat_len && text[i + k] == pattern[k]) k++;
        if (k == pat_len) {
            atomicAdd(count, 1);
            atomicMin(first, i);
        }
    }
}

int main(int argc, char **argv)
{
    const char *needle = argc > 1 ? argv[1] : "abcab";
    std::string text;
    while (text.size() < 6000) text += text.size() % 3 ? "abcabcab" : "xyzzy";
    const int len = (int)text.size(), plen = (int)strlen(needle);
    if (plen < 1 || plen > 64) { fprintf(stderr, "usage: search [pattern of 1 to 64 characters]\n"); return 2; }

    char *d_text; int *d_out, init[2] = {0, len}, res[2];
    cudaMalloc(&d_text, len);
    cudaMalloc(&d_out, sizeof(init));
    cudaMemcpy(d_text, text.data(), len, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(pattern, needle, plen);
    cudaMemcpy(d_out, init, sizeof(init), cudaMemcpyHostToDevice);
    find_all<<<8, 128>>>(d_text, len, plen, d_out, d_out + 1);
    cudaMemcpy(res, d_out, sizeof(res), cudaMemcpyDeviceToHost);

    int n = 0; size_t at = text.find(needle);
    int f = at == std::string::npos ? len : (int)at;
    for (; at != std::string::npos; at = text.find(needle, at + 1)) n++;
    printf("%d matches, first at %d\n", res[0], res[1]);
    return res[0] == n && res[1] == f ? 0 : 1;
}
