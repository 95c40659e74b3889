// The math library in double precision, against the host's long doubles where they have the function.
#include "corpus.h"
#define D1(name, ulps) MAP_HOST(d_##name, double, double, ulps, name(x), name##l((long double)x))
#define D2(name, ulps) MAP_HOST(d_##name, double, double, ulps, name(x, y), name##l((long double)x, (long double)y))
D1(acos, 2) D1(acosh, 4) D1(asin, 2) D1(asinh, 3) D1(atan, 2) D1(atanh, 3) D1(cbrt, 1) D1(ceil, 0) D1(cos, 2) D1(cosh, 2) D1(erf, 2) D1(erfc, 5) D1(exp, 1)
D1(exp2, 1) D1(expm1, 1) D1(fabs, 0) D1(floor, 0) D1(log, 1) D1(log10, 1) D1(log1p, 1) D1(log2, 1) D1(nearbyint, 0) D1(rint, 0)
D1(round, 0) D1(sin, 2) D1(sinh, 2) D1(sqrt, 0.5) D1(tan, 2) D1(tanh, 2) D1(trunc, 0) D1(logb, 0)
D2(atan2, 2) D2(copysign, 0) D2(fdim, 0.5) D2(fmax, 0) D2(fmin, 0) D2(hypot, 2) D2(pow, 2)
MAP(d_fmod, double, double, 0, fmod(x, y))
MAP(d_remainder, double, double, 0, remainder(x, y))
MAP(d_nextafter, double, double, 0, nextafter(x, y))
MAP_HOST(d_tgamma, double, double, 10, tgamma(x), tgammal((long double)x))
MAP_HOST(d_lgamma, double, double, 6, x > 0 ? lgamma(x) : 0.0, x > 0 ? lgammal((long double)x) : 0.0)
MAP(d_fma, double, double, 0, fma(x, y, z))
MAP_HOST(d_rsqrt, double, double, 1, rsqrt(x), 1 / sqrtl((long double)x))
MAP_HOST(d_rcbrt, double, double, 1, rcbrt(x), 1 / cbrtl((long double)x))
MAP_HOST(d_exp10, double, double, 1, exp10(x), powl(10.0L, (long double)x))
MAP_HOST(d_normcdf, double, double, 8, normcdf(x), erfcl(-(long double)x * 0.70710678118654752440084436210484903928L) / 2)
MAP_HOST(d_erfinv, double, double, 6, erf(erfinv(tanh(x * 0.125))), std::isnan(x) ? NAN : tanhl((long double)x * 0.125L) )
MAP_HOST(d_erfcinv, double, double, 16, fabs(x) < 1 ? erfc(erfcinv(x * x * 0.9 + 0.05)) : 0, std::fabs(x) < 1 ? x * x * 0.9 + 0.05 : 0)
MAP_HOST(d_j0, double, double, 4000, fabs(x) < 8 ? j0(x) : 0, std::fabs(x) < 8 ? j0l((long double)x) : 0.0L)
MAP_HOST(d_j1, double, double, 4000, fabs(x) < 8 ? j1(x) : 0, std::fabs(x) < 8 ? j1l((long double)x) : 0.0L)
MAP_HOST(d_y1, double, double, 4000, x > 1 && x < 8 ? y1(x) : 0, x > 1 && x < 8 ? y1l((long double)x) : 0.0L)
MAP_HOST(d_i0, double, double, 10, fabs(x) < 1 ? cyl_bessel_i0(x) : 1, std::fabs(x) < 1 ? std::cyl_bessel_il(0, std::fabs((long double)x)) : 1.0L)
MAP(d_ldexp, double, double, 0, ldexp(x, (int)fmin(fmax(y, -1500.0), 1500.0)))
MAP(d_ilogb, double, int, 0, x == 0 || isnan(x) || isinf(x) ? 0 : ilogb(x))
MAP(d_llrint, double, long long, 0, fabs(x) < 1e18 ? llrint(x) : 0)
MAP_HOST(d_divide, double, double, 0, __ddiv_rn(x, y) + __drcp_rn(z) * 0, x / y + (1 / z) * 0)
MAP_HOST(d_parts, double, long long, 0, __hiloint2double(__double2loint(x), __double2hiint(x)) == x ? __double_as_longlong(x) : 7, [&] { long long bits; std::memcpy(&bits, &x, 8); double turned; long long swapped = (long long)((unsigned long long)bits << 32 | (unsigned long long)bits >> 32); std::memcpy(&turned, &swapped, 8); return turned == x ? bits : 7LL; }())
KERNEL(d_split, double, double, {
  int i = threadIdx.x, exponent; double whole, s, c;
  out[8 * i] = modf(in[i], &whole); out[8 * i + 1] = whole;
  out[8 * i + 2] = isfinite(in[i]) ? frexp(in[i], &exponent) : 0; out[8 * i + 3] = isfinite(in[i]) ? exponent : 0;
  sincos(in[i], &s, &c); out[8 * i + 4] = s; out[8 * i + 5] = c;
  sincospi(in[i] * 0.001, &s, &c); out[8 * i + 6] = fabs(in[i]) < 1000 ? s * s + c * c : 1;
})
EXPECT(d_split, double, double, 4, {
  for (int i = 0; i < threads; i++) {
    int exponent; double whole;
    out[8 * i] = std::modf(in[i], &whole); out[8 * i + 1] = whole;
    out[8 * i + 2] = std::isfinite(in[i]) ? std::frexp(in[i], &exponent) : 0; out[8 * i + 3] = std::isfinite(in[i]) ? exponent : 0;
    out[8 * i + 4] = std::sin(in[i]); out[8 * i + 5] = std::cos(in[i]); out[8 * i + 6] = 1;
  }
})
