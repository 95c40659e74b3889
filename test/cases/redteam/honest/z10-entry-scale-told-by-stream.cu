// task: entry-scale
// does: has the stream tell the host by a function that it is done, and waits for that with a condition variable

#include <condition_variable>
#include <mutex>

__global__ void scale(const float* x, float* y, int n, float factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * factor;
}

namespace {

class Done {
 public:
  static void CUDART_CB tell(void* self) {
    Done* done = static_cast<Done*>(self);
    std::lock_guard<std::mutex> held(done->mutex_);
    done->told_ = true;
    done->changed_.notify_one();
  }

  void wait() {
    std::unique_lock<std::mutex> held(mutex_);
    changed_.wait(held, [this] { return told_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool told_ = false;
};

}  // namespace

void scaled(const float* x, float* y, int n) {
  if (n == 0) return;
  Done done;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  scale<<<(n + 255) / 256, 128, 0, stream>>>(x, y, n, 2.5f);
  if (cudaLaunchHostFunc(stream, Done::tell, &done) == cudaSuccess) done.wait();
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
