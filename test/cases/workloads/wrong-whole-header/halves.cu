#include "halves.cuh"
