#include <cuda_runtime.h>
#include <utility>

#define SOFTENING_SQ 1e-4f

__device__ float3 pairAccel(float3 acc, float4 self, float4 other)
{
   float dx = other.x - self.x;
   float dy = other.y - self.y;
   float dz = other.z - self.z;
   float inv = rsqrtf(dx*dx + dy*dy + dz*dz + SOFTENING_SQ);
   float s = other.w * inv * inv * inv;
   acc.x += dx * s;  acc.y += dy * s;  acc.z += dz * s;
   return acc;
}

__global__ void integrate(const float4* posOld, float4* posNew, float4* vel, int n, float dt)
{
   extern __shared__ float4 tile[];
   int gid = blockIdx.x * blockDim.x + threadIdx.x;
   float4 me = gid < n ? posOld[gid] : make_float4(0.f, 0.f, 0.f, 0.f);
   float3 acc = make_float3(0.f, 0.f, 0.f);

   for (int first = 0; first < n; first += blockDim.x) {
      int j = first + threadIdx.x;
      tile[threadIdx.x] = j < n ? posOld[j] : make_float4(0.f, 0.f, 0.f, 0.f);
      __syncthreads();
      for (int k = 0; k < blockDim.x; ++k)
         acc = pairAccel(acc, me, tile[k]);
      __syncthreads();
   }

   if (gid < n) {
      float4 v = vel[gid];
      v.x += acc.x * dt;  v.y += acc.y * dt;  v.z += acc.z * dt;
      vel[gid] = v;
      posNew[gid] = make_float4(me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w);
   }
}

class BodySystem
{
public:
   explicit BodySystem(int n) : n_(n)
   {
      for (int i = 0; i < 2; ++i) cudaMalloc(&pos_[i], n * sizeof(float4));
      cudaMalloc(&vel_, n * sizeof(float4));
      cudaStreamCreate(&stream_);
   }
   ~BodySystem()
   {
      cudaFree(pos_[0]);
      cudaFree(pos_[1]);
      cudaFree(vel_);
      cudaStreamDestroy(stream_);
   }
   BodySystem(const BodySystem&) = delete;

   void upload(const float4* pos, const float4* vel)
   {
      cudaMemcpyAsync(pos_[0], pos, n_ * sizeof(float4), cudaMemcpyHostToDevice, stream_);
      cudaMemcpyAsync(vel_, vel, n_ * sizeof(float4), cudaMemcpyHostToDevice, stream_);
   }
   void step(float dt, int threads = 64)
   {
      integrate<<<(n_ + threads - 1) / threads, threads, threads * sizeof(float4), stream_>>>(pos_[0], pos_[1], vel_, n_, dt);
      std::swap(pos_[0], pos_[1]);
   }
   void download(float4* pos)
   {
      cudaMemcpyAsync(pos, pos_[0], n_ * sizeof(float4), cudaMemcpyDeviceToHost, stream_);
      cudaStreamSynchronize(stream_);
   }

private:
   int n_;
   float4* pos_[2];
   float4* vel_;
   cudaStream_t stream_;
};

void simulate(float4* pos, const float4* vel, int n, int steps, float dt)
{
   BodySystem system(n);
   system.upload(pos, vel);
   for (int i = 0; i < steps; ++i) system.step(dt);
   system.download(pos);
}
