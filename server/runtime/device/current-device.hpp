// Which device is the current one. There is one; a program may be called as if it were the second of two.
#pragma once

#include <cstdint>

namespace kernelwright {

/** The call that begins is made by a caller whose device is number 1 of two, or number 0 of one. */
void callFromSecond(bool isSecond);

/** The number of the device of the caller. */
int callersDevice();
int deviceCount();
int currentDevice();
void setCurrentDevice(int number);
void noteDeviceOfLaunch();

/** Bits: 1, another device than the caller's is current; 2, launches went to other devices than that alone.
 */
uint32_t deviceStrays();

} // namespace kernelwright
