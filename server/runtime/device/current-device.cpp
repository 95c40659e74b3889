#include "device/current-device.hpp"

#include <atomic>

namespace kernelwright {
namespace {

// Of all threads: one that a program starts works where that does.
std::atomic<int> deviceOfCaller{0};
std::atomic<int> chosenDevice{0};
std::atomic<bool> launchedHere{false};
std::atomic<bool> launchedElsewhere{false};

} // namespace

void callFromSecond(bool isSecond) {
  deviceOfCaller = chosenDevice = isSecond ? 1 : 0;
  launchedHere = launchedElsewhere = false;
}

int callersDevice() { return deviceOfCaller; }
int deviceCount() { return deviceOfCaller + 1; }
int currentDevice() { return chosenDevice; }
void setCurrentDevice(int number) { chosenDevice = number; }

void noteDeviceOfLaunch() {
  if (chosenDevice == deviceOfCaller)
    launchedHere = true;
  else
    launchedElsewhere = true;
}

uint32_t deviceStrays() {
  return (chosenDevice == deviceOfCaller ? 0 : 1) | (launchedElsewhere && !launchedHere ? 2 : 0);
}

} // namespace kernelwright
