#pragma once
// Device pointers. See reference.py for the definition.
void depthwise_conv(const float* x, const float* w, const float* bias, float* out, int channels, int height, int width);
