// The allocator that extensions ask for memory by its name in c10::cuda: that of all tensors of the GPU.
#include <c10/core/Allocator.h>
#include <c10/cuda/CUDACachingAllocator.h>

#include <cstring>
#include <map>
#include <mutex>

namespace c10::cuda::CUDACachingAllocator {
namespace {

[[noreturn]] void lacking(const char *what) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "the virtual GPU's allocator has no ", what);
}

class GpuAllocator final : public CUDAAllocator {
public:
  DataPtr allocate(size_t bytes) override { return tensors()->allocate(bytes); }
  void copy_data(void *target, const void *source, size_t bytes) const override {
    std::memcpy(target, source, bytes);
  }
  std::string name() override { return "the virtual GPU's allocator"; }

  void *raw_alloc(size_t bytes) override {
    DataPtr memory = allocate(bytes);
    void *start = memory.get();
    const std::lock_guard<std::mutex> lock(mutex_);
    raw_.emplace(start, std::move(memory));
    return start;
  }
  void *raw_alloc_with_stream(size_t bytes, cudaStream_t) override { return raw_alloc(bytes); }
  void raw_delete(void *start) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    raw_.erase(start);
  }

  // Nothing is kept for later, and work is complete when the call that starts it returns.
  void init(int) override {}
  bool initialized() override { return true; }
  void enable(bool) override {}
  bool isEnabled() const override { return true; }
  void emptyCache(MempoolId_t) override {}
  void recordStream(const DataPtr &, CUDAStream) override {}
  double getMemoryFraction(DeviceIndex) override { return 1; }
  void setMemoryFraction(double, DeviceIndex) override {}
  void enablePeerAccess(DeviceIndex, DeviceIndex) override {}
  void resetAccumulatedStats(DeviceIndex) override {}
  void resetPeakStats(DeviceIndex) override {}
  cudaError_t memcpyAsync(void *target, int, const void *source, int, size_t bytes, cudaStream_t stream,
                          bool) override {
    return cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream);
  }

  CachingDeviceAllocator::DeviceStats getDeviceStats(DeviceIndex) override { lacking("statistics"); }
  std::vector<StreamSegmentSize> getExpandableSegmentSizes(DeviceIndex) override { lacking("segments"); }
  void cacheInfo(DeviceIndex, size_t *) override { lacking("cache"); }
  void *getBaseAllocation(void *, size_t *) override { lacking("segments"); }
  SnapshotInfo snapshot(MempoolId_t, bool) override { lacking("snapshots"); }
  void beginAllocateToPool(DeviceIndex, MempoolId_t, std::function<bool(cudaStream_t)>) override {
    lacking("pools");
  }
  void endAllocateToPool(DeviceIndex, MempoolId_t) override { lacking("pools"); }
  void releasePool(DeviceIndex, MempoolId_t) override { lacking("pools"); }
  ShareableHandle shareIpcHandle(void *) override { lacking("memory of several processes"); }
  std::shared_ptr<void> getIpcDevPtr(std::string) override { lacking("memory of several processes"); }
  void recordHistory(bool, CreateContextFn, size_t, RecordContext, bool,
                     const std::vector<std::string> &) override {
    lacking("history");
  }
  void attachOutOfMemoryObserver(OutOfMemoryObserver) override { lacking("observers"); }
  void attachOomRejectionObserver(OomRejectionObserver) override { lacking("observers"); }
  void attachAllocatorTraceTracker(AllocatorTraceTracker) override { lacking("observers"); }
  std::shared_ptr<AllocatorState> getCheckpointState(DeviceIndex, MempoolId_t) override { lacking("pools"); }
  CheckpointDelta setCheckpointPoolState(DeviceIndex, std::shared_ptr<AllocatorState>) override {
    lacking("pools");
  }

private:
  static Allocator *tensors() { return GetAllocator(DeviceType::CUDA); }

  std::mutex mutex_;
  std::map<void *, DataPtr> raw_;
};

} // namespace

std::atomic<CUDAAllocator *> allocator{new GpuAllocator};

} // namespace c10::cuda::CUDACachingAllocator
