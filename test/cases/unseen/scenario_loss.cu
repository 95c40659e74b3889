#include <cuda_runtime.h>
#include <math.h>

/* Value at risk, step 1: for every scenario the loss of the whole book and the worst position. */
typedef struct { const float *shock; const float *delta; const float *gamma; int positions; } book_t;

__global__ void ScenarioLoss(book_t book, float *loss, float *worst, int scenarios)
{
	int s;
	for (s = blockIdx.x*blockDim.x + threadIdx.x; s < scenarios; s += gridDim.x*blockDim.x)
	{
		float total = 0.f, w = -INFINITY;
		for (int p = 0; p < book.positions; p++)
		{
			float d = book.shock[(size_t)s*book.positions + p];
			float pnl = book.delta[p]*d + 0.5f*book.gamma[p]*d*d;
			total -= pnl;
			w = fmaxf(w, -pnl);
		}
		loss[s]  = total;
		worst[s] = w;
	}
}

extern "C" int scenario_loss(const float *shock, const float *delta, const float *gamma, float *loss, float *worst, int scenarios, int positions)
{
	book_t b;
	b.shock = shock; b.delta = delta; b.gamma = gamma; b.positions = positions;
	int nb = (scenarios + 127)/128;
	ScenarioLoss<<<nb, 128>>>(b, loss, worst, scenarios);
	return (int)cudaGetLastError();
}
