#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

__global__ void letter_counts(const char *text, int len, int *counts)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < len) {
		char c = text[i];
		if (c >= 'a' && c <= 'z')
			counts[c - 'a']++;
	}
}

int main()
{
	const char *text = "the quick brown fox jumps over the lazy dog while the other foxes are asleep in their den";
	int len = strlen(text), counts[26], want[26] = {0};
	for (const char *p = text; *p; p++)
		if (*p >= 'a' && *p <= 'z') want[*p - 'a']++;
	char *d_text;
	int *d_counts;
	cudaMalloc(&d_text, len);
	cudaMalloc(&d_counts, sizeof counts);
	cudaMemcpy(d_text, text, len, cudaMemcpyHostToDevice);
	cudaMemset(d_counts, 0, sizeof counts);
	letter_counts<<<(len + 63) / 64, 64>>>(d_text, len, d_counts);
	cudaMemcpy(counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 26; i++)
		if (counts[i] != want[i]) { printf("%c: %d, expected %d\n", 'a' + i, counts[i], want[i]); return 1; }
	return 0;
}
