#pragma once

#ifndef SCALE
#define SCALE 2
#endif

void scale(int *values, int count);
