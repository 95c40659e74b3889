// The toolkit's own parallel algorithms, which bring kernels, allocations and launches of their own.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

int main() {
  const int count = 3000;
  thrust::host_vector<int> host(count);
  for (int index = 0; index < count; ++index) host[index] = (index * 7919) % count;
  thrust::device_vector<int> device = host;
  std::printf("sum %d\n", thrust::reduce(device.begin(), device.end()));
  thrust::sort(device.begin(), device.end());
  host = device;
  int wrong = 0;
  for (int index = 0; index < count; ++index) wrong += host[index] != index;
  thrust::inclusive_scan(device.begin(), device.end(), device.begin());
  std::printf("wrong %d, last of the scan %d\n", wrong, static_cast<int>(device[count - 1]));
  return wrong;
}
