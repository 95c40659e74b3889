// A stopwatch of host code in milliseconds, by the names that NVIDIA's samples give it.
#ifndef KERNELWRIGHT_HELPER_TIMER_H
#define KERNELWRIGHT_HELPER_TIMER_H

#include <chrono>
#include <cstdlib>

class StopWatchInterface {
public:
  virtual ~StopWatchInterface() = default;

  virtual void start() {
    begun_ = Clock::now();
    runs_ = true;
  }

  virtual void stop() {
    total_ += sinceStart();
    runs_ = false;
    ++sessions_;
  }

  virtual void reset() {
    total_ = 0;
    sessions_ = 0;
    if (runs_) begun_ = Clock::now();
  }

  virtual float getTime() { return total_ + (runs_ ? sinceStart() : 0.0f); }

  virtual float getAverageTime() { return sessions_ > 0 ? total_ / static_cast<float>(sessions_) : 0.0f; }

private:
  using Clock = std::chrono::steady_clock;

  float sinceStart() const {
    return std::chrono::duration<float, std::milli>(Clock::now() - begun_).count();
  }

  Clock::time_point begun_;
  float total_ = 0;
  int sessions_ = 0;
  bool runs_ = false;
};

inline bool sdkCreateTimer(StopWatchInterface **timer) {
  *timer = new StopWatchInterface;
  return true;
}

inline bool sdkDeleteTimer(StopWatchInterface **timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}

inline bool sdkStartTimer(StopWatchInterface **timer) {
  if (*timer != nullptr) (*timer)->start();
  return true;
}

inline bool sdkStopTimer(StopWatchInterface **timer) {
  if (*timer != nullptr) (*timer)->stop();
  return true;
}

inline bool sdkResetTimer(StopWatchInterface **timer) {
  if (*timer != nullptr) (*timer)->reset();
  return true;
}

inline float sdkGetTimerValue(StopWatchInterface **timer) {
  return *timer == nullptr ? 0.0f : (*timer)->getTime();
}

inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
  return *timer == nullptr ? 0.0f : (*timer)->getAverageTime();
}

#endif
