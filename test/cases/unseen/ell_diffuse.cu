#include <cuda_runtime.h>

// Personalised rank: one diffusion step over a graph in ELLPACK form.
// Slot k of vertex v is at [k * vertices + v]; a neighbour below 0 is padding.

template <typename Index, typename Weight>
struct EllGraph {
    const Index* neighbour;
    const Weight* weight;
    Index vertices;
    Index slots;
};

template <typename Index, typename Weight>
__global__ void diffuse(EllGraph<Index, Weight> graph, const Weight* rank, const Weight* seed, Weight* next, Weight alpha)
{
    const Index v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= graph.vertices) return;

    next[v] = (Weight(1) - alpha) * seed[v];
    for (Index k = 0; k < graph.slots; ++k) {
        const Index at = k * graph.vertices + v;
        const Index u = graph.neighbour[at];
        if (u >= 0) next[v] += alpha * graph.weight[at] * rank[u];
    }
}

void diffusion_step(const int* neighbour, const float* weight, const float* rank, const float* seed, float* next,
                    float alpha, int vertices, int slots)
{
    EllGraph<int, float> graph{neighbour, weight, vertices, slots};
    const int block = 128;
    diffuse<int, float><<<(vertices + block - 1) / block, block>>>(graph, rank, seed, next, alpha);
}
