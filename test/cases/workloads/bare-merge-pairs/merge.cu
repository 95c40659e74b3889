// One sweep of joining sets: each link drags the set with the larger number down to the smaller one.
__global__ void joinSets(int links, const int *left, const int *right, int *set, int *moved)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < links; k += gridDim.x * blockDim.x) {
        if (left[k] == right[k]) continue;   // a link of a thing with itself
        const int a = set[left[k]], b = set[right[k]];
        if (a == b) continue;
        atomicMin(a < b ? &set[right[k]] : &set[left[k]], min(a, b));
        *moved = 1;
    }
}
