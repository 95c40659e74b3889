// Texture references, which CUDA 11 had and CUDA 13 has no longer: variables at file scope that host code binds
// to memory and kernels fetch from. Sources that need them are compiled with this in front. Each is a variable
// of the device with a texture object in it.
#ifndef KERNELWRIGHT_TEXTURE_REFERENCES_H
#define KERNELWRIGHT_TEXTURE_REFERENCES_H

#include <cuda_runtime.h>

#ifdef __cplusplus
#include <climits>
#include <cstddef>

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2

/** An address mode that is CUDA's default, clamp, when all of its bytes are 0: host code sees variables of the
 * device without what their constructors would do. */
struct KernelwrightAddressMode {
  int differs;
  KernelwrightAddressMode &operator=(cudaTextureAddressMode mode) {
    differs = static_cast<int>(mode) ^ static_cast<int>(cudaAddressModeClamp);
    return *this;
  }
  operator cudaTextureAddressMode() const {
    return static_cast<cudaTextureAddressMode>(differs ^ static_cast<int>(cudaAddressModeClamp));
  }
};

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  KernelwrightAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  cudaTextureObject_t object;
};

template <class T, int dimensions = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct KernelwrightTexture : textureReference {};

/** What a fetch gives: the element, or numbers from 0 to 1 (-1 to 1) for its bits. */
template <class T, cudaTextureReadMode mode> struct KernelwrightFetched {
  typedef T Type;
};
#define KERNELWRIGHT_NORMALIZED(T)                                                          \
  template <> struct KernelwrightFetched<T, cudaReadModeNormalizedFloat> {                  \
    typedef float Type;                                                                     \
  };                                                                                        \
  template <> struct KernelwrightFetched<T##1, cudaReadModeNormalizedFloat> {               \
    typedef float1 Type;                                                                    \
  };                                                                                        \
  template <> struct KernelwrightFetched<T##2, cudaReadModeNormalizedFloat> {               \
    typedef float2 Type;                                                                    \
  };                                                                                        \
  template <> struct KernelwrightFetched<T##4, cudaReadModeNormalizedFloat> {               \
    typedef float4 Type;                                                                    \
  };
typedef signed char kernelwright_char;
typedef char1 kernelwright_char1;
typedef char2 kernelwright_char2;
typedef char4 kernelwright_char4;
typedef unsigned char kernelwright_uchar;
typedef uchar1 kernelwright_uchar1;
typedef uchar2 kernelwright_uchar2;
typedef uchar4 kernelwright_uchar4;
typedef unsigned short kernelwright_ushort;
typedef ushort1 kernelwright_ushort1;
typedef ushort2 kernelwright_ushort2;
typedef ushort4 kernelwright_ushort4;
KERNELWRIGHT_NORMALIZED(kernelwright_char)
KERNELWRIGHT_NORMALIZED(kernelwright_uchar)
KERNELWRIGHT_NORMALIZED(short)
KERNELWRIGHT_NORMALIZED(kernelwright_ushort)
template <> struct KernelwrightFetched<char, cudaReadModeNormalizedFloat> {
  typedef float Type;
};
#undef KERNELWRIGHT_NORMALIZED

// Kernels fetch.
#define KERNELWRIGHT_FETCH(name, parameters, arguments)                                           \
  template <class T, int dimensions, cudaTextureReadMode mode>                                    \
  static __device__ __forceinline__ typename KernelwrightFetched<T, mode>::Type name parameters { \
    return ::name<typename KernelwrightFetched<T, mode>::Type> arguments;                         \
  }
#define KERNELWRIGHT_REFERENCE const KernelwrightTexture<T, dimensions, mode> &texture
KERNELWRIGHT_FETCH(tex1Dfetch, (KERNELWRIGHT_REFERENCE, int x), (texture.object, x))
KERNELWRIGHT_FETCH(tex1D, (KERNELWRIGHT_REFERENCE, float x), (texture.object, x))
KERNELWRIGHT_FETCH(tex2D, (KERNELWRIGHT_REFERENCE, float x, float y), (texture.object, x, y))
KERNELWRIGHT_FETCH(tex3D, (KERNELWRIGHT_REFERENCE, float x, float y, float z), (texture.object, x, y, z))
KERNELWRIGHT_FETCH(tex1DLayered, (KERNELWRIGHT_REFERENCE, float x, int layer), (texture.object, x, layer))
KERNELWRIGHT_FETCH(tex2DLayered, (KERNELWRIGHT_REFERENCE, float x, float y, int layer), (texture.object, x, y, layer))
KERNELWRIGHT_FETCH(tex1DLod, (KERNELWRIGHT_REFERENCE, float x, float level), (texture.object, x, level))
KERNELWRIGHT_FETCH(tex2DLod, (KERNELWRIGHT_REFERENCE, float x, float y, float level), (texture.object, x, y, level))
KERNELWRIGHT_FETCH(tex3DLod, (KERNELWRIGHT_REFERENCE, float x, float y, float z, float level),
                   (texture.object, x, y, z, level))
#undef KERNELWRIGHT_FETCH
#undef KERNELWRIGHT_REFERENCE

// Host code binds.
template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t kernelwrightBind(const KernelwrightTexture<T, dimensions, mode> &texture,
                                           const cudaResourceDesc &resource) {
  cudaTextureDesc description = {};
  for (int axis = 0; axis < 3; ++axis) description.addressMode[axis] = texture.addressMode[axis];
  description.filterMode = texture.filterMode;
  description.readMode = mode;
  description.normalizedCoords = texture.normalized;
  description.sRGB = texture.sRGB;
  cudaTextureObject_t object = 0;
  const cudaError_t made = cudaCreateTextureObject(&object, &resource, &description, nullptr);
  if (made != cudaSuccess) return made;
  const void *symbol = static_cast<const void *>(&texture);
  return cudaMemcpyToSymbol(symbol, &object, sizeof object, offsetof(textureReference, object));
}

template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const KernelwrightTexture<T, dimensions, mode> &texture,
                                          const void *memory, const cudaChannelFormatDesc &format,
                                          size_t size = UINT_MAX) {
  const size_t most = (size_t{1} << 27) * sizeof(T);
  if (offset != nullptr) *offset = 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void *>(memory);
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = size < most ? size : most;
  return kernelwrightBind(texture, resource);
}

template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const KernelwrightTexture<T, dimensions, mode> &texture,
                                          const void *memory, size_t size = UINT_MAX) {
  return cudaBindTexture(offset, texture, memory, cudaCreateChannelDesc<T>(), size);
}

template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const KernelwrightTexture<T, dimensions, mode> *texture,
                                          const void *memory, const cudaChannelFormatDesc *format,
                                          size_t size = UINT_MAX) {
  return cudaBindTexture(offset, *texture, memory, *format, size);
}

template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const KernelwrightTexture<T, dimensions, mode> &texture,
                                            const void *memory, const cudaChannelFormatDesc &format, size_t width,
                                            size_t height, size_t pitch) {
  if (offset != nullptr) *offset = 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = const_cast<void *>(memory);
  resource.res.pitch2D.desc = format;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  return kernelwrightBind(texture, resource);
}

template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const KernelwrightTexture<T, dimensions, mode> &texture,
                                            const void *memory, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, texture, memory, cudaCreateChannelDesc<T>(), width, height, pitch);
}

template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const KernelwrightTexture<T, dimensions, mode> &texture,
                                                 cudaArray_const_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return kernelwrightBind(texture, resource);
}

template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const KernelwrightTexture<T, dimensions, mode> &texture,
                                                 cudaArray_const_t array, const cudaChannelFormatDesc &) {
  return cudaBindTextureToArray(texture, array);
}

/** What was bound stays whole: kernels that still run may fetch from it. */
template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const KernelwrightTexture<T, dimensions, mode> &texture) {
  const cudaTextureObject_t none = 0;
  const void *symbol = static_cast<const void *>(&texture);
  return cudaMemcpyToSymbol(symbol, &none, sizeof none, offsetof(textureReference, object));
}

template <class T, int dimensions, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const KernelwrightTexture<T, dimensions, mode> *texture) {
  return cudaUnbindTexture(*texture);
}

#define texture __device__ KernelwrightTexture
#endif

#endif
