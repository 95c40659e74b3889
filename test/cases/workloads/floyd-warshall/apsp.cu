#include <climits>
#include <cstdio>
#include <vector>

const int INF = INT_MAX / 2;

__global__ void relax(int* dist, int n, int k)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= n || j >= n || i == k || j == k) return;
	int through = dist[i * n + k] + dist[k * n + j];
	if (through < dist[i * n + j]) dist[i * n + j] = through;
}

int main()
{
	const int n = 50;
	std::vector<int> d(n * n, INF);
	for (int i = 0; i < n; i++) {
		d[i * n + i] = 0;
		for (int e = 1; e <= 3; e++) d[i * n + (i * 7 + e * 11) % n] = i == (i * 7 + e * 11) % n ? 0 : 5 + (i * e) % 17;
	}
	std::vector<int> ref = d;
	for (int k = 0; k < n; k++)
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				if (ref[i * n + k] + ref[k * n + j] < ref[i * n + j]) ref[i * n + j] = ref[i * n + k] + ref[k * n + j];

	int* dev;
	cudaMalloc(&dev, n * n * sizeof(int));
	cudaMemcpy(dev, d.data(), n * n * sizeof(int), cudaMemcpyHostToDevice);
	const dim3 tb(16, 16);
	for (int k = 0; k < n; k++) relax<<<dim3((n + 15) / 16, (n + 15) / 16), tb>>>(dev, n, k);
	cudaMemcpy(d.data(), dev, n * n * sizeof(int), cudaMemcpyDeviceToHost);
	int wrong = 0;
	for (int i = 0; i < n * n; i++) wrong += d[i] != ref[i];
	printf("%d of %d wrong\n", wrong, n * n);
	return wrong ? 1 : 0;
}
