/* All-pairs shortest paths by repeated squaring: one product of cost matrices over a semiring.
   Shortest paths take (min, +); widest paths would take (max, min). */
#include <climits>

template <typename Cost>
struct ShortestPath {
	static __device__ __forceinline__ Cost unreachable() { return INT_MAX / 2; }
	static __device__ __forceinline__ Cost through(Cost head, Cost tail) { return head + tail; }
	static __device__ __forceinline__ Cost better(Cost a, Cost b) { return b < a ? b : a; }
};

template <typename Cost, template <typename> class Semiring>
__global__ void squareCosts(const Cost *head, const Cost *tail, Cost *result, unsigned nodes)
{
	const unsigned from = blockIdx.y * blockDim.y + threadIdx.y;
	const unsigned to = blockIdx.x * blockDim.x + threadIdx.x;
	if (from < nodes && to < nodes) {
		using Rules = Semiring<Cost>;
		Cost best = Rules::unreachable();
		for (unsigned via = 0; via < nodes; via++) {
			best = Rules::better(best, Rules::through(head[from * nodes + via], tail[via * nodes + to]));
		}
		result[from * nodes + to] = best;
	}
}

void relax_all_pairs(const int *head, const int *tail, int *result, unsigned nodes)
{
	const dim3 threads(16, 16);
	const dim3 blocks((nodes + 15) / 16, (nodes + 15) / 16);
	squareCosts<int, ShortestPath><<<blocks, threads>>>(head, tail, result, nodes);
}
