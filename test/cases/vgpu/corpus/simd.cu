// Packed integers: the video intrinsics and the dot products of bytes.
#include "corpus.h"
typedef unsigned int u32; typedef signed char s8; typedef unsigned char u8;
#define BYTES(f) EACH(f, 8, u8, s8, 4)
#define SHORTS(f) EACH(f, 16, unsigned short, short, 2)
#ifdef __CUDACC__
#define PACKED(name, U, S, expression) MAP_DEVICE(v_##name, u32, u32, __##name(x, y))
#define PACKED1(name, U, S, expression) MAP_DEVICE(v_##name, u32, u32, __##name(x))
#define PACKED3(name, U, S, expression) MAP_DEVICE(v_##name, u32, u32, __##name(x, y, z))
#else
#define LANES(U, S, expression) [&] { u32 result = 0; for (int at = 0; at < 32; at += 8 * (int)sizeof(U)) { \
  U a = (U)(x >> at), b = (U)(y >> at), c = (U)(z >> at); S sa = (S)a, sb = (S)b, sc = (S)c; (void)a; (void)b; (void)c; (void)sa; (void)sb; (void)sc; result |= (u32)(U)(expression) << at; } return result; }()
#define PACKED(name, U, S, expression) MAP(v_##name, u32, u32, 0, LANES(U, S, expression))
#define PACKED1(name, U, S, expression) PACKED(name, U, S, expression)
#define PACKED3(name, U, S, expression) PACKED(name, U, S, expression)
template <typename T> int clampTo(int value) { return std::min<int>(std::max<int>(value, std::numeric_limits<T>::min()), std::numeric_limits<T>::max()); }
#include <limits>
#endif
#define BOTH(n, U, S) \
  PACKED(vadd##n, U, S, a + b) PACKED(vsub##n, U, S, a - b) PACKED(vaddss##n, U, S, clampTo<S>(sa + sb)) PACKED(vaddus##n, U, S, clampTo<U>(a + b)) \
  PACKED(vsubss##n, U, S, clampTo<S>(sa - sb)) PACKED(vsubus##n, U, S, clampTo<U>(a - b)) PACKED(vavgs##n, U, S, (sa + sb + (sa + sb >= 0)) >> 1) PACKED(vavgu##n, U, S, (a + b + 1) >> 1) \
  PACKED(vhaddu##n, U, S, (a + b) >> 1) PACKED(vmaxs##n, U, S, sa > sb ? sa : sb) PACKED(vmaxu##n, U, S, a > b ? a : b) PACKED(vmins##n, U, S, sa < sb ? sa : sb) PACKED(vminu##n, U, S, a < b ? a : b) \
  PACKED(vabsdiffs##n, U, S, sa > sb ? sa - sb : sb - sa) PACKED(vabsdiffu##n, U, S, a > b ? a - b : b - a) \
  PACKED1(vabs##n, U, S, sa < 0 ? -sa : sa) PACKED1(vabsss##n, U, S, clampTo<S>(sa < 0 ? -sa : sa)) PACKED1(vneg##n, U, S, -sa) PACKED1(vnegss##n, U, S, clampTo<S>(-sa)) \
  PACKED(vcmpeq##n, U, S, a == b ? -1 : 0) PACKED(vcmpges##n, U, S, sa >= sb ? -1 : 0) PACKED(vcmpgeu##n, U, S, a >= b ? -1 : 0) PACKED(vcmpgts##n, U, S, sa > sb ? -1 : 0) PACKED(vcmpltu##n, U, S, a < b ? -1 : 0) PACKED(vcmpne##n, U, S, a != b ? -1 : 0) \
  PACKED(vseteq##n, U, S, a == b) PACKED(vsetgts##n, U, S, sa > sb) PACKED(vsetleu##n, U, S, a <= b)
BOTH(2, unsigned short, short)
BOTH(4, u8, s8)
PACKED3(viaddmax_s16x2, unsigned short, short, std::max<short>((short)(sa + sb), sc)) PACKED3(viaddmin_u16x2, unsigned short, short, std::min<unsigned short>((unsigned short)(a + b), c)) PACKED3(vimax3_s16x2, unsigned short, short, std::max(std::max(sa, sb), sc))
PACKED(vimax_s16x2_relu, unsigned short, short, std::max<short>(std::max(sa, sb), 0))
MAP_HOST(v_vsadu4, u32, u32, 0, __vsadu4(x, y), [&] { u32 r = 0; for (int b = 0; b < 32; b += 8) r += (u32)std::abs((int)(x >> b & 255) - (int)(y >> b & 255)); return r; }())
MAP_HOST(v_vsads2, u32, u32, 0, __vsads2(x, y), [&] { u32 r = 0; for (int b = 0; b < 32; b += 16) r += (u32)std::abs((int)(short)(x >> b) - (int)(short)(y >> b)); return r; }())
MAP_HOST(v_viaddmax_s32, int, int, 0, __viaddmax_s32(x, y, z), std::max((int)((u32)x + (u32)y), z))
MAP_HOST(v_vimin3_u32, u32, u32, 0, __vimin3_u32(x, y, z), std::min(std::min(x, y), z))
MAP_HOST(v_vimax_s32_relu, int, int, 0, __vimax_s32_relu(x, y), std::max(std::max(x, y), 0))
