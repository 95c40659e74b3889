#pragma once
namespace geo {
using real = double;
struct Mat3 { real m[9]; };

__host__ __device__ inline real det(const Mat3& a)
{
  return a.m[0] * (a.m[4] * a.m[8] - a.m[5] * a.m[7])
       - a.m[1] * (a.m[3] * a.m[8] - a.m[5] * a.m[6])
       + a.m[2] * (a.m[3] * a.m[7] - a.m[4] * a.m[6]);
}
}
