// Block-wide algorithms of CUB: what people's kernels are made of.
#include "corpus.h"
typedef unsigned int u32; typedef unsigned long long u64;
#ifdef __CUDACC__
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/std/complex>
#include <cuda/std/span>
#include <cuda/std/bit>
#endif
KERNEL(c_reduce, u32, u32, { typedef cub::BlockReduce<u32, 128> Reduce; __shared__ typename Reduce::TempStorage storage; u32 sum = Reduce(storage).Sum(in[threadIdx.x]); if (threadIdx.x == 0) out[0] = sum; })
EXPECT(c_reduce, u32, u32, 0, { for (int i = 0; i < threads; i++) out[0] += in[i]; })
KERNEL(c_scan, u32, u32, { typedef cub::BlockScan<u32, 128> Scan; __shared__ typename Scan::TempStorage storage; u32 v[4]; u32 total; for (int k = 0; k < 4; k++) v[k] = in[threadIdx.x * 4 + k]; Scan(storage).ExclusiveSum(v, v, total); for (int k = 0; k < 4; k++) out[threadIdx.x * 4 + k] = v[k] + total; })
EXPECT(c_scan, u32, u32, 0, { u32 total = 0; for (int i = 0; i < 512; i++) total += in[i]; u32 sum = 0; for (int i = 0; i < 512; i++) { out[i] = sum + total; sum += in[i]; } })
KERNEL(c_sort, u32, u32, { typedef cub::BlockRadixSort<u32, 128, 4> Sort; __shared__ typename Sort::TempStorage storage; u32 v[4]; for (int k = 0; k < 4; k++) v[k] = in[threadIdx.x * 4 + k]; Sort(storage).Sort(v); for (int k = 0; k < 4; k++) out[threadIdx.x * 4 + k] = v[k]; })
EXPECT(c_sort, u32, u32, 0, { std::copy(in, in + 512, out); std::sort(out, out + 512); })
KERNEL(c_merge, int, int, { typedef cub::BlockMergeSort<int, 128, 4> Sort; __shared__ typename Sort::TempStorage storage; int v[4]; for (int k = 0; k < 4; k++) v[k] = in[threadIdx.x * 4 + k]; Sort(storage).Sort(v, [](int a, int b) { return a > b; }); for (int k = 0; k < 4; k++) out[threadIdx.x * 4 + k] = v[k]; })
EXPECT(c_merge, int, int, 0, { std::copy(in, in + 512, out); std::sort(out, out + 512, [](int a, int b) { return a > b; }); })
KERNEL(c_histogram, u32, u32, { typedef cub::BlockHistogram<unsigned char, 128, 4, 256> Histogram; __shared__ typename Histogram::TempStorage storage; __shared__ u32 bins[256]; unsigned char v[4]; for (int k = 0; k < 4; k++) v[k] = (unsigned char)in[threadIdx.x * 4 + k]; Histogram(storage).Histogram(v, bins); __syncthreads(); for (int k = threadIdx.x; k < 256; k += 128) out[k] = bins[k]; })
EXPECT(c_histogram, u32, u32, 0, { for (int i = 0; i < 512; i++) out[in[i] & 255]++; })
KERNEL(c_warp, int, int, { typedef cub::WarpReduce<int> Reduce; typedef cub::WarpScan<int> Scan; __shared__ typename Reduce::TempStorage storage[4]; __shared__ typename Scan::TempStorage scan[4]; int w = threadIdx.x / 32; int v = in[threadIdx.x]; int most = Reduce(storage[w]).Reduce(v, [](int a, int b) { return a > b ? a : b; }); int sum; Scan(scan[w]).InclusiveSum(v, sum); out[threadIdx.x] = sum; if (threadIdx.x % 32 == 0) out[128 + w] = most; })
EXPECT(c_warp, int, int, 0, { for (int i = 0; i < threads; i++) { u32 sum = 0; int most = in[i & ~31]; for (int k = i & ~31; k < (i & ~31) + 32; k++) { if (k <= i) sum += (u32)in[k]; most = std::max(most, in[k]); } out[i] = (int)sum; out[128 + i / 32] = most; } })
KERNEL(c_transpose, u32, u32, { typedef cub::BlockLoad<u32, 128, 4, cub::BLOCK_LOAD_TRANSPOSE> Load; typedef cub::BlockStore<u32, 128, 4, cub::BLOCK_STORE_WARP_TRANSPOSE> Store; __shared__ union { typename Load::TempStorage load; typename Store::TempStorage store; } storage; u32 v[4]; Load(storage.load).Load(in, v); __syncthreads(); for (int k = 0; k < 4; k++) v[k] = v[k] * 3 + k; Store(storage.store).Store(out, v); })
EXPECT(c_transpose, u32, u32, 0, { for (int i = 0; i < 512; i++) out[i] = in[i] * 3 + (u32)i % 4; })
KERNEL(c_complex, float, float, { cuda::std::complex<float> a(in[threadIdx.x], in[threadIdx.x + 1]); a = a * cuda::std::complex<float>(2, 1) + cuda::std::conj(a); out[2 * threadIdx.x] = a.real(); out[2 * threadIdx.x + 1] = a.imag(); })
KERNEL(c_bits, u64, u32, { u64 v = in[threadIdx.x]; out[threadIdx.x] = cuda::std::popcount(v) + 64 * cuda::std::countl_zero(v) + 4096 * cuda::std::countr_zero((u32)v | 256u) + (u32)cuda::std::rotl((u32)v, 5) + (u32)cuda::std::bit_width((u32)v); })
EXPECT(c_bits, u64, u32, 0, { for (int i = 0; i < threads; i++) { u64 v = in[i]; u32 w = (u32)v; out[i] = (u32)__builtin_popcountll(v) + 64u * (v ? __builtin_clzll(v) : 64) + 4096u * (u32)__builtin_ctz(w | 256) + (w << 5 | w >> 27) + (w ? 32 - __builtin_clz(w) : 0); } })
