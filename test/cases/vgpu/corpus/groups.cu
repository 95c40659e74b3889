// Cooperative groups inside of one block: tiles, coalesced groups, partitions, reductions, scans and copies.
#include "corpus.h"
typedef unsigned int u32; typedef unsigned long long u64;
#ifdef __CUDACC__
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
#endif
KERNEL(g_tile, u32, u32, { auto tile = cg::tiled_partition<8>(cg::this_thread_block()); u32 v = in[threadIdx.x]; out[threadIdx.x] = cg::reduce(tile, v, cg::plus<u32>()) ^ tile.shfl(v, 3) ^ tile.shfl_up(v, 1) ^ tile.ballot(v & 1) ^ tile.any(v > 5) ^ tile.meta_group_rank(); })
EXPECT(g_tile, u32, u32, 0, { for (int i = 0; i < threads; i++) { int t = i & ~7; u32 sum = 0; u32 ballot = 0; bool any = false; for (int k = 0; k < 8; k++) { sum += in[t + k]; ballot |= (in[t + k] & 1) << k; any |= in[t + k] > 5; } out[i] = sum ^ in[t + 3] ^ in[i > t ? i - 1 : i] ^ ballot ^ any ^ (u32)(i / 8); } })
KERNEL(g_reduce, int, int, { auto tile = cg::tiled_partition<32>(cg::this_thread_block()); int v = in[threadIdx.x]; out[threadIdx.x] = cg::reduce(tile, v, cg::less<int>()) ^ cg::reduce(tile, v, cg::greater<int>()) ^ cg::reduce(tile, v, cg::bit_xor<int>()) ^ cg::reduce(tile, v, cg::bit_and<int>()) ^ cg::reduce(tile, v, cg::bit_or<int>()); })
EXPECT(g_reduce, int, int, 0, { for (int i = 0; i < threads; i++) { const int* p = in + (i & ~31); int least = p[0], most = p[0], x = 0, a = -1, o = 0; for (int k = 0; k < 32; k++) { least = std::min(least, p[k]); most = std::max(most, p[k]); x ^= p[k]; a &= p[k]; o |= p[k]; } out[i] = least ^ most ^ x ^ a ^ o; } })
KERNEL(g_scan, u32, u32, { auto tile = cg::tiled_partition<16>(cg::this_thread_block()); out[threadIdx.x] = cg::inclusive_scan(tile, in[threadIdx.x]); out[threadIdx.x + 128] = cg::exclusive_scan(tile, in[threadIdx.x], cg::greater<u32>()); })
EXPECT(g_scan, u32, u32, 0, { for (int i = 0; i < threads; i++) { u32 sum = 0; u32 most = 0; for (int k = i & ~15; k <= i; k++) { sum += in[k]; if (k < i) most = std::max(most, in[k]); } out[i] = sum; out[i + 128] = most; } })
KERNEL(g_coalesced, u32, u32, { if (in[threadIdx.x] & 1) { auto group = cg::coalesced_threads(); out[threadIdx.x] = group.size() * 100 + group.thread_rank() + cg::reduce(group, in[threadIdx.x], cg::plus<u32>()) + group.shfl(in[threadIdx.x], 0); } })
EXPECT(g_coalesced, u32, u32, 0, { for (int w = 0; w < threads; w += 32) { u32 count = 0; u32 sum = 0; int first = -1; for (int i = w; i < w + 32; i++) if (in[i] & 1) { count++; sum += in[i]; if (first < 0) first = i; } u32 rank = 0; for (int i = w; i < w + 32; i++) if (in[i] & 1) out[i] = count * 100 + rank++ + sum + in[first]; } })
KERNEL(g_labels, u32, u32, { auto tile = cg::tiled_partition<32>(cg::this_thread_block()); auto part = cg::labeled_partition(tile, in[threadIdx.x] % 5); auto two = cg::binary_partition(tile, (in[threadIdx.x] & 4) != 0); out[threadIdx.x] = part.size() * 64 + part.thread_rank() + 4096 * two.size(); })
EXPECT(g_labels, u32, u32, 0, { for (int i = 0; i < threads; i++) { u32 size = 0, rank = 0, two = 0; for (int k = i & ~31; k < (i & ~31) + 32; k++) { if (in[k] % 5 == in[i] % 5) { size++; rank += k < i; } two += (in[k] & 4) == (in[i] & 4); } out[i] = size * 64 + rank + 4096 * two; } })
KERNEL(g_copy, u32, u32, { __shared__ __align__(16) u32 tile[512]; auto block = cg::this_thread_block(); cg::memcpy_async(block, tile, in, sizeof(u32) * 512); cg::wait(block); for (int k = 0; k < 4; k++) out[threadIdx.x * 4 + k] = tile[511 - threadIdx.x * 4 - k]; })
EXPECT(g_copy, u32, u32, 0, { for (int i = 0; i < 512; i++) out[i] = in[511 - i]; })
KERNEL(g_copy_odd, unsigned char, unsigned char, { __shared__ unsigned char tile[700]; auto block = cg::this_thread_block(); cg::memcpy_async(block, tile, in + 3, 611); cg::wait(block); for (int k = threadIdx.x; k < 611; k += 128) out[k] = tile[610 - k]; })
EXPECT(g_copy_odd, unsigned char, unsigned char, 0, { for (int i = 0; i < 611; i++) out[i] = in[3 + 610 - i]; })
KERNEL(g_block, u32, u32, { auto block = cg::this_thread_block(); __shared__ u32 sum; if (block.thread_rank() == 0) sum = 0; block.sync(); atomicAdd(&sum, in[threadIdx.x]); auto token = block.barrier_arrive(); block.barrier_wait((decltype(token)&&)token); out[threadIdx.x] = sum + block.group_dim().x; })
KERNEL(g_wide, u64, u64, { auto tile = cg::tiled_partition<32>(cg::this_thread_block()); out[threadIdx.x] = cg::reduce(tile, in[threadIdx.x], cg::plus<u64>()) + tile.shfl_xor(in[threadIdx.x], 5) + tile.match_any(in[threadIdx.x] & 3) + cg::invoke_one_broadcast(tile, [&] { return in[threadIdx.x & ~31]; }); })
EXPECT(g_wide, u64, u64, 0, { for (int i = 0; i < threads; i++) { u64 sum = 0; u64 same = 0; for (int k = 0; k < 32; k++) { u64 v = in[(i & ~31) + k]; sum += v; if ((v & 3) == (in[i] & 3)) same |= 1ull << k; } out[i] = sum + in[i ^ 5] + same + in[i & ~31]; } })
KERNEL(g_double, double, double, { auto tile = cg::tiled_partition<4>(cg::this_thread_block()); double v = isfinite(in[threadIdx.x]) ? rint(in[threadIdx.x]) : 0; out[threadIdx.x] = fabs(v) < 1e9 ? 0 : 1; v = fabs(v) < 1e9 ? v : 0; out[threadIdx.x + 128] = cg::reduce(tile, v, cg::plus<double>()); })
EXPECT(g_double, double, double, 0, { for (int i = 0; i < threads; i++) { double sum = 0; for (int k = i & ~3; k < (i & ~3) + 4; k++) { double v = isfinite(in[k]) ? std::rint(in[k]) : 0; sum += std::fabs(v) < 1e9 ? v : 0; } double v = isfinite(in[i]) ? std::rint(in[i]) : 0; out[i] = std::fabs(v) < 1e9 ? 0 : 1; out[i + 128] = sum + 0.0; } })
EXPECT(g_block, u32, u32, 0, { u32 sum = 0; for (int i = 0; i < threads; i++) sum += in[i]; for (int i = 0; i < threads; i++) out[i] = sum + 128; })
