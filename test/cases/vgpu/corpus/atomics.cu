// Atomic operations of every type, space and scope, as intrinsics and as cuda::atomic.
#include "corpus.h"
typedef unsigned int u32; typedef unsigned long long u64; typedef unsigned short u16;
#ifdef __CUDACC__
#include <cuda/atomic>
#endif
#define FOLD(name, T, start, device, host) \
  KERNEL(o_##name, T, T, { __shared__ T cell; if (threadIdx.x == 0) { cell = start; out[0] = start; } __syncthreads(); T v = in[threadIdx.x]; T* at = &cell; device; at = out; device; __syncthreads(); if (threadIdx.x == 0) out[1] = cell; }) \
  EXPECT(o_##name, T, T, 0, { T cell = start; for (int i = 0; i < threads; i++) { T v = in[i]; host; } out[0] = out[1] = cell; })
FOLD(add_u32, u32, 7u, atomicAdd(at, v), cell += v) FOLD(add_s32, int, 7, atomicAdd(at, v), cell = (int)((u32)cell + (u32)v)) FOLD(add_u64, u64, 7ull, atomicAdd(at, v), cell += v)
FOLD(sub_u32, u32, 7u, atomicSub(at, v), cell -= v) FOLD(min_s32, int, 7, atomicMin(at, v), cell = std::min(cell, v)) FOLD(max_u32, u32, 7u, atomicMax(at, v), cell = std::max(cell, v))
FOLD(min_u64, u64, ~0ull, atomicMin(at, v), cell = std::min(cell, v)) FOLD(max_s64, long long, 0ll, atomicMax(at, v), cell = std::max(cell, v))
FOLD(and_u32, u32, ~0u, atomicAnd(at, v | 0x1234), cell &= v | 0x1234) FOLD(or_u64, u64, 0ull, atomicOr(at, v & 0xff00ff), cell |= v & 0xff00ff) FOLD(xor_u32, u32, 1u, atomicXor(at, v), cell ^= v) FOLD(xor_u64, u64, 1ull, atomicXor(at, v), cell ^= v)
FOLD(inc, u32, 0u, atomicInc(at, 10), cell = cell >= 10 ? 0 : cell + 1) FOLD(dec, u32, 5u, atomicDec(at, 9), cell = cell == 0 || cell > 9 ? 9 : cell - 1)
FOLD(block, u32, 3u, atomicAdd_block(at, v), cell += v) FOLD(system, u32, 3u, atomicXor_system(at, v), cell ^= v)
FOLD(add_f32, float, 0.0f, atomicAdd(at, isnan(v) || isinf(v) ? 1.0f : v > 0 ? 2.0f : 0.5f), cell += isnan(v) || isinf(v) ? 1.0f : v > 0 ? 2.0f : 0.5f)
FOLD(add_f64, double, 0.0, atomicAdd(at, isnan(v) || isinf(v) ? 1.0 : v > 0 ? 2.0 : 0.5), cell += isnan(v) || isinf(v) ? 1.0 : v > 0 ? 2.0 : 0.5)
FOLD(fetch, u32, 7u, cuda::atomic_ref<u32>(*at).fetch_add(v, cuda::memory_order_relaxed), cell += v)
FOLD(fetch_block, u32, 7u, (cuda::atomic_ref<u32, cuda::thread_scope_block>(*at).fetch_sub(v, cuda::memory_order_acq_rel)), cell -= v)
FOLD(fetch_max, int, 7, cuda::atomic_ref<int>(*at).fetch_max(v), cell = std::max(cell, v))
FOLD(fetch_or, u64, 7ull, (cuda::atomic_ref<u64, cuda::thread_scope_device>(*at).fetch_or(v, cuda::memory_order_release)), cell |= v)
FOLD(fetch_float, float, 0.0f, cuda::atomic_ref<float>(*at).fetch_add(v > 0 ? 2.0f : 0.5f), cell += v > 0 ? 2.0f : 0.5f)
FOLD(loop, u32, 1u, { u32 old = *(volatile u32*)at; u32 seen; do { seen = old; old = atomicCAS(at, seen, seen * 3 + 1); } while (old != seen); }, cell = cell * 3 + 1)
FOLD(loop16, u16, 1, { u16 old = *(volatile u16*)at; u16 seen; do { seen = old; old = atomicCAS(at, seen, (u16)(seen + 5)); } while (old != seen); }, cell += 5)
FOLD(exchange, u32, 1u, { cuda::atomic_ref<u32> r(*at); u32 old = r.load(); while (!r.compare_exchange_weak(old, old + 2)) {} }, cell += 2)
FOLD(small, unsigned char, 1, (cuda::atomic_ref<unsigned char>(*at).fetch_add(v)), cell += v)
FOLD(small16, u16, 1, (cuda::atomic_ref<u16, cuda::thread_scope_block>(*at).fetch_xor(v)), cell ^= v)
KERNEL(o_order, u32, u32, { cuda::atomic_ref<u32> a(out[threadIdx.x]); a.store(in[threadIdx.x], cuda::memory_order_release); u32 v = a.load(cuda::memory_order_acquire) + a.exchange(5, cuda::memory_order_seq_cst); cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block); __threadfence(); __threadfence_block(); __threadfence_system(); out[threadIdx.x] = v + atomicExch(out + threadIdx.x + 128, v); })
EXPECT(o_order, u32, u32, 0, { for (int i = 0; i < threads; i++) { out[i] = 2 * in[i]; out[i + 128] = 2 * in[i]; } })
KERNEL(o_lock, u32, u32, { __shared__ int lock; __shared__ u32 sum; if (threadIdx.x == 0) { lock = 0; sum = 0; } __syncthreads(); bool done = false; while (!done) { if (atomicCAS(&lock, 0, 1) == 0) { __threadfence(); sum = sum + in[threadIdx.x]; __threadfence(); atomicExch(&lock, 0); done = true; } } __syncthreads(); out[threadIdx.x] = sum; })
EXPECT(o_lock, u32, u32, 0, { u32 sum = 0; for (int i = 0; i < threads; i++) sum += in[i]; for (int i = 0; i < threads; i++) out[i] = sum; })
KERNEL(o_exch64, u64, u64, { out[threadIdx.x] = in[threadIdx.x] + 1; u64 v = atomicExch(out + threadIdx.x, 9ull) + atomicCAS(out + threadIdx.x, 9ull, 11ull); atomicAdd(out + threadIdx.x, v); })
EXPECT(o_exch64, u64, u64, 0, { for (int i = 0; i < threads; i++) out[i] = 11 + in[i] + 1 + 9; })
