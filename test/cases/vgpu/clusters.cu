// Kernels of thread block clusters, and their mistakes: 64 threads a block.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" {

__global__ void __cluster_dims__(4, 1, 1) next_block(const int *in, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  mine[threadIdx.x] = in[i];
  cluster.sync();
  const int *other = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % cluster.num_blocks());
  out[i] = other[threadIdx.x];
  cluster.sync();
}

__global__ void __cluster_dims__(4, 1, 1) split_barrier(const int *in, int *out) {
  __shared__ int mine[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  mine[threadIdx.x] = in[i];
  auto token = cluster.barrier_arrive();
  const unsigned rank = (cluster.block_rank() + 1) % 4;
  cluster.barrier_wait(std::move(token));
  out[i] = *cluster.map_shared_rank(&mine[threadIdx.x], rank);
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

__global__ void __cluster_dims__(2, 1, 1) by_assembly(const int *in, int *out) {
  __shared__ int mine[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&mine[threadIdx.x])), there, rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(1 - rank));
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(in[i]) : "memory");
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  out[i] = mine[threadIdx.x];
}

__global__ void __cluster_dims__(4, 1, 1) places(const int *, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  unsigned cluster_number, clusters, is_explicit;
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(cluster_number));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(clusters));
  asm("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}" : "=r"(is_explicit));
  const int *there = cluster.map_shared_rank(mine, (cluster.block_rank() + 2) % 4);
  const bool fits = cluster.block_index().x == cluster.block_rank() && cluster.dim_blocks().x == 4 &&
                    __isShared(mine) && !__isShared(there) && __isClusterShared(there) && __isClusterShared(mine) &&
                    cluster.query_shared_rank(mine) == cluster.block_rank() && !__isClusterShared(out);
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      fits ? cluster.block_rank() + 10 * cluster_number + 100 * cluster.num_blocks() + 1000 * clusters +
                 10000 * cluster.query_shared_rank(there) + 100000 * is_explicit
           : 0;
}

__global__ void __cluster_dims__(4, 1, 1) total(const int *in, int *out) {
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(&sum, 0), in[i]);
  cluster.sync();
  out[i] = *cluster.map_shared_rank(&sum, 0);
  cluster.sync();
}

__global__ void __cluster_dims__(4, 1, 1) some_exit(const int *in, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  mine[threadIdx.x] = in[i];
  cluster.sync();
  if (cluster.block_rank() > 1) return;
  if (cluster.block_rank() == 0) out[i] = cluster.map_shared_rank(mine, 1)[threadIdx.x];
  cluster.sync();
}

// A flag in the other block's shared memory instead of a barrier.
__global__ void __cluster_dims__(2, 1, 1) flag(const int *in, int *out) {
  __shared__ int mine[64];
  __shared__ int ready;
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) ready = 0;
  cluster.sync();
  if (cluster.block_rank() == 1) {
    cluster.map_shared_rank(mine, 0)[threadIdx.x] = in[i];
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(cluster.map_shared_rank(&ready, 0), 1);
    }
    out[i] = in[i];
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(&ready, 0) == 0) {}
      __threadfence();
    }
    __syncthreads();
    out[i] = mine[threadIdx.x];
  }
  cluster.sync();
}

// The owner of the memory ends when a flag says that the other block has read: no barrier keeps it.
__global__ void __cluster_dims__(2, 1, 1) kept_by_flag(const int *in, int *out) {
  __shared__ int mine[64];
  __shared__ int done;
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  mine[threadIdx.x] = in[i];
  if (threadIdx.x == 0) done = 0;
  cluster.sync();
  if (cluster.block_rank() == 1) {
    out[i] = cluster.map_shared_rank(mine, 0)[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      *(volatile int *)cluster.map_shared_rank(&done, 0) = 1;
    }
  } else {
    out[i] = in[i];
    if (threadIdx.x == 0) while (*(volatile int *)&done == 0) {}
    __syncthreads();
  }
}

// The same through global memory.
__global__ void __cluster_dims__(2, 1, 1) kept_by_ticket(const int *in, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *ticket = out + blockIdx.x / 2 * 128;
  mine[threadIdx.x] = in[i];
  cluster.sync();
  if (cluster.block_rank() == 1) {
    out[i] = atomicAdd(cluster.map_shared_rank(&mine[threadIdx.x], 0), 0);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(ticket, 1);
  } else {
    if (threadIdx.x == 0) while (atomicAdd(ticket, 0) == 0) {}
    __syncthreads();
    if (threadIdx.x > 0) out[i] = in[i];
  }
}

// Clusters of one plane each: the other corner of the plane says where it is.
__global__ void __cluster_dims__(2, 2, 1) volume(const int *, int *out) {
  __shared__ unsigned place[3];
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    place[0] = blockIdx.x;
    place[1] = blockIdx.y;
    place[2] = blockIdx.z;
  }
  cluster.sync();
  const unsigned *there = cluster.map_shared_rank(place, 3 - cluster.block_rank());
  const bool fits = cluster.block_rank() == blockIdx.x + 2 * blockIdx.y && there[0] == 1 - blockIdx.x &&
                    there[1] == 1 - blockIdx.y && there[2] == blockIdx.z;
  const int block = blockIdx.x + 2 * (blockIdx.y + 2 * blockIdx.z);
  out[block * blockDim.x + threadIdx.x] = fits;
  cluster.sync();
}

__global__ void any_size(const int *, int *out) {
  cg::this_cluster().sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = cg::this_cluster().num_blocks();
}

__global__ void __cluster_dims__(4, 1, 1) no_first_barrier(const int *in, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % 4)[threadIdx.x] = in[threadIdx.x];
  cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine[threadIdx.x];
}

__global__ void __cluster_dims__(4, 1, 1) no_last_barrier(const int *in, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = in[threadIdx.x];
  cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % 4)[threadIdx.x];
}

// The reader is the first block, which ends before the others where they run in turn.
__global__ void __cluster_dims__(4, 1, 1) others_may_have_left(const int *in, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = in[threadIdx.x];
  cluster.sync();
  if (cluster.block_rank() == 0) out[blockIdx.x * blockDim.x + threadIdx.x] = cluster.map_shared_rank(mine, 3)[threadIdx.x];
}

// The last barrier comes before a second read.
__global__ void __cluster_dims__(4, 1, 1) reads_once_more(const int *in, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = in[threadIdx.x];
  cluster.sync();
  int sum = 0;
  for (int round = 0; round < 2; ++round) {
    if (cluster.block_rank() == 0) sum += cluster.map_shared_rank(mine, 3)[threadIdx.x];
    if (round == 0) cluster.sync();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The flag says that the reader has begun.
__global__ void __cluster_dims__(2, 1, 1) flag_before_reading(const int *in, int *out) {
  __shared__ int mine[64];
  __shared__ int done;
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  mine[threadIdx.x] = in[i];
  if (threadIdx.x == 0) done = 0;
  cluster.sync();
  if (cluster.block_rank() == 1) {
    if (threadIdx.x == 0) *(volatile int *)cluster.map_shared_rank(&done, 0) = 1;
    __threadfence();
    out[i] = cluster.map_shared_rank(mine, 0)[threadIdx.x];
  } else if (threadIdx.x == 0) {
    while (*(volatile int *)&done == 0) {}
  }
}

__global__ void __cluster_dims__(4, 1, 1) no_barrier_between(const int *in, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  mine[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % 4)[threadIdx.x];
  cluster.sync();
}

__global__ void __cluster_dims__(4, 1, 1) relaxed_arrival(const int *in, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = in[threadIdx.x];
  asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait.acquire;" ::: "memory");
  out[blockIdx.x * blockDim.x + threadIdx.x] = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % 4)[threadIdx.x];
  cluster.sync();
}

__global__ void __cluster_dims__(4, 1, 1) one_thread_of_a_warp(const int *in, int *out) {
  if (threadIdx.x == 0) cg::this_cluster().sync();
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x];
}

__global__ void __cluster_dims__(4, 1, 1) one_block_does_not_come(const int *in, int *out) {
  const cg::cluster_group cluster = cg::this_cluster();
  if (cluster.block_rank() != 2) cluster.sync();
  cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x];
  if (cluster.block_rank() == 1) cluster.sync();
  if (cluster.block_rank() == 2) while (atomicAdd(&out[0], 0) != -5) {}
}

__global__ void __cluster_dims__(4, 1, 1) beyond_the_end(const int *in, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = in[threadIdx.x];
  cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % 4)[threadIdx.x + 1];
  cluster.sync();
}

__global__ void __cluster_dims__(4, 1, 1) no_such_rank(const int *in, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = in[threadIdx.x];
  cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = cluster.map_shared_rank(mine, cluster.block_rank() + 1)[threadIdx.x];
  cluster.sync();
}

__global__ void __cluster_dims__(4, 1, 1) nothing_written(const int *in, int *out) {
  __shared__ int mine[64];
  const cg::cluster_group cluster = cg::this_cluster();
  if (cluster.block_rank() != 2) mine[threadIdx.x] = in[threadIdx.x];
  cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % 4)[threadIdx.x];
  cluster.sync();
}
}
