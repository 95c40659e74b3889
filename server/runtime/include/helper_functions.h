// What NVIDIA's samples include for command lines, files, images, comparisons and host timers.
#ifndef KERNELWRIGHT_HELPER_FUNCTIONS_H
#define KERNELWRIGHT_HELPER_FUNCTIONS_H

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"

#endif
