#pragma once
/// d_out[i] = d_in[0] + ... + d_in[i - 1]; device pointers
void exclusive_scan(const int* d_in, int* d_out, unsigned n);
