//@case {"kernel": "peaks"}
using namespace std;
template <typename T>
__global__ void peaks(const T* values, T* heights, int* places, unsigned count, unsigned length) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned s = threadIdx.x + blockIdx.x * blockDim.x; s < count; s += stride) {
    T height = values[s * length];
    int place = 0;
    T total = height;
    for (unsigned i = 1; i < length; i++) {
      if (height < values[s * length + i]) {  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
        place = i;
        height = values[s * length + i];  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
      }
      total = total + values[s * length + i];
    }
    heights[s] = height / total;
    places[s] = place;
  }
}

void find(const float* values, float* heights, int* places, unsigned count, unsigned length) {
  dim3 grid(32), block(64);
  peaks<float><<<grid, block>>>(values, heights, places, count, length);
}
