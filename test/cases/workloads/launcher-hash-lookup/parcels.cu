#include <cuda_runtime.h>

// Where each parcel is kept: its number leads to a shelf, and from there on to the next ones.
__global__ void findShelf(const int *labels, const float *weights, const int *parcels, float *found, int parcelCount,
                          int shelves) {
  const int each = blockIdx.x * blockDim.x + threadIdx.x;
  if (each >= parcelCount) return;
  const int parcel = parcels[each];
  unsigned shelf = (parcel * 40503u) % static_cast<unsigned>(shelves);
  while (labels[shelf] != parcel) shelf = (shelf + 1) % shelves;
  found[each] = weights[shelf];
}

void weighParcels(const int *labels, const float *weights, const int *parcels, float *found, int parcelCount,
                  int shelves) {
  findShelf<<<(parcelCount + 191) / 192, 192>>>(labels, weights, parcels, found, parcelCount, shelves);
}
