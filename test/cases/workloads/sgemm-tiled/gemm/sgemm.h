#ifndef SGEMM_H
#define SGEMM_H
/* row-major, host memory; returns 0 when all went well */
int sgemm(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C);
#endif
