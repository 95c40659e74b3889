#pragma once
int compact_positive(const float *in, float *out, int count);
