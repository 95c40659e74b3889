// The math library in single precision, against double precision on the host.
#include "corpus.h"
#define F1(name, ulps) MAP_HOST(s_##name, float, float, ulps, name##f(x), std::name((double)x))
#define F2(name, ulps) MAP_HOST(s_##name, float, float, ulps, name##f(x, y), std::name((double)x, (double)y))
F1(acos, 2) F1(acosh, 4) F1(asin, 2) F1(asinh, 3) F1(atan, 2) F1(atanh, 3) F1(cbrt, 1) F1(ceil, 0) F1(cos, 2) F1(cosh, 2) F1(erf, 2) F1(erfc, 4) F1(exp, 2)
F1(exp2, 2) F1(expm1, 1) F1(fabs, 0) F1(floor, 0) F1(log, 1) F1(log10, 2) F1(log1p, 1) F1(log2, 1) F1(nearbyint, 0) F1(rint, 0)
F1(round, 0) F1(sin, 2) F1(sinh, 3) F1(sqrt, 0.5) F1(tan, 4) F1(tanh, 2) F1(trunc, 0) F1(logb, 0)
F2(atan2, 3) F2(copysign, 0) F2(fdim, 0.5) F2(fmax, 0) F2(fmin, 0) F2(hypot, 3)
MAP(s_fmod, float, float, 0, fmodf(x, y))
MAP(s_remainder, float, float, 0, remainderf(x, y))
MAP(s_nextafter, float, float, 0, nextafterf(x, y))
MAP_HOST(s_pow, float, float, 8, powf(x, y), std::pow((double)x, (double)y))
MAP_HOST(s_tgamma, float, float, 11, tgammaf(x), x < 34 && x > -20 ? std::tgamma((double)x) : tgammaf(x))
MAP_HOST(s_lgamma, float, float, 6, x > 0 ? lgammaf(x) : 0.0f, x > 0 ? std::lgamma((double)x) : 0.0)
MAP_HOST(s_fma, float, float, 0, fmaf(x, y, z), fmaf(x, y, z))
MAP_HOST(s_rsqrt, float, float, 2, rsqrtf(x), 1 / std::sqrt((double)x))
MAP_HOST(s_rcbrt, float, float, 1, rcbrtf(x), 1 / std::cbrt((double)x))
MAP_HOST(s_exp10, float, float, 2, exp10f(x), std::pow(10.0, (double)x))
MAP_HOST(s_sinpi, float, float, 2, fabsf(x) < 4096 ? sinpif(x) : 0, std::fabs(x) < 4096 ? ((double)x == std::floor((double)x) ? std::copysign(0.0, x) : std::sin(M_PI * std::remainder((double)x, 2.0))) : 0.0)
MAP_HOST(s_erfinv, float, float, 4, erff(erfinvf(tanhf(x * 0.125f))), std::isnan(x) ? NAN : std::fabs(std::tanh(x * 0.125)) > 0.99999 ? erff(std::copysign(INFINITY, x)) * std::fabs((float)std::tanh(x * 0.125)) : std::tanh(x * 0.125))
MAP_HOST(s_normcdf, float, float, 8, normcdff(x), std::erfc(-(double)x * M_SQRT1_2) / 2)
MAP_HOST(s_j0, float, float, 400, fabsf(x) < 8 ? j0f(x) : 0, std::fabs(x) < 8 ? j0((double)x) : 0.0)
MAP_HOST(s_j1, float, float, 400, fabsf(x) < 8 ? j1f(x) : 0, std::fabs(x) < 8 ? j1((double)x) : 0.0)
MAP_HOST(s_y0, float, float, 1000, x > 1 && x < 8 ? y0f(x) : 0, x > 1 && x < 8 ? y0((double)x) : 0.0)
MAP_HOST(s_jn, float, float, 100000, fabsf(x) < 8 && fabsf(x) > 2 ? jnf(3, x) : 0, std::fabs(x) < 8 && std::fabs(x) > 2 ? jn(3, (double)x) : 0.0)
MAP(s_ilogb, float, int, 0, x == 0 || isnan(x) || isinf(x) ? 0 : ilogbf(x))
MAP(s_lrint, float, long long, 0, fabsf(x) < 1e9f ? llrintf(x) : 0)
MAP(s_lround, float, long long, 0, fabsf(x) < 1e9f ? llroundf(x) : 0)
MAP(s_ldexp, float, float, 0, ldexpf(x, (int)fminf(fmaxf(y, -200.0f), 200.0f)))
MAP(s_signbit, float, int, 0, (signbit(x) != 0) + 2 * (isnan(x) != 0) + 4 * (isinf(x) != 0) + 8 * (isfinite(x) != 0))
KERNEL(s_split, float, float, {
  int i = threadIdx.x, exponent, quotient; float whole, s, c;
  out[8 * i] = modff(in[i], &whole); out[8 * i + 1] = whole;
  out[8 * i + 2] = isfinite(in[i]) ? frexpf(in[i], &exponent) : 0; out[8 * i + 3] = isfinite(in[i]) ? exponent : 0;
  sincosf(in[i], &s, &c); out[8 * i + 4] = s; out[8 * i + 5] = c;
  out[8 * i + 6] = remquof(in[i], 3.0f, &quotient); out[8 * i + 7] = isfinite(in[i]) ? quotient & 7 : 0;
})
EXPECT(s_split, float, float, 2, {
  for (int i = 0; i < threads; i++) {
    int exponent, quotient; float whole;
    out[8 * i] = modff(in[i], &whole); out[8 * i + 1] = whole;
    out[8 * i + 2] = std::isfinite(in[i]) ? frexpf(in[i], &exponent) : 0; out[8 * i + 3] = std::isfinite(in[i]) ? exponent : 0;
    out[8 * i + 4] = std::sin((double)in[i]); out[8 * i + 5] = std::cos((double)in[i]);
    out[8 * i + 6] = remquof(in[i], 3.0f, &quotient); out[8 * i + 7] = std::isfinite(in[i]) ? quotient & 7 : 0;
  }
})
KERNEL(s_norms, float, float, {
  int i = threadIdx.x; float x = in[i], y = in[i + 1], z = in[i + 2], list[5] = {x, y, z, 1, 2};
  out[i] = norm3df(x, y, z); out[i + 128] = norm4df(x, y, z, 1); out[i + 256] = rnorm3df(x, y, z); out[i + 384] = normf(5, list); out[i + 512] = rhypotf(x, y);
})
EXPECT(s_norms, float, float, 4, {
  for (int i = 0; i < threads; i++) {
    double x = in[i], y = in[i + 1], z = in[i + 2];
    auto root = [&](double sum, double infinite) { return std::isinf(infinite) ? INFINITY : std::sqrt(sum); };
    double s = x * x + y * y + z * z, w = std::max({std::isnan(x) ? 0 : std::fabs(x), std::isnan(y) ? 0 : std::fabs(y), std::isnan(z) ? 0 : std::fabs(z)});
    double v = std::max(std::isnan(x) ? 0 : std::fabs(x), std::isnan(y) ? 0 : std::fabs(y));
    out[i] = root(s, w); out[i + 128] = root(s + 1, w); out[i + 256] = 1 / root(s, w); out[i + 384] = root(s + 5, w); out[i + 512] = 1 / root(x * x + y * y, v);
  }
})
