#include <cuda_runtime.h>

// Colours of a heat map: the field is read as a texture, between its points, and written through a surface
__global__ void colourField(cudaTextureObject_t field, cudaSurfaceObject_t colours, int across, int down, float zoom)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= across || row >= down) return;
    float heat = tex2D<float>(field, column * zoom + 0.5f, row * zoom + 0.5f);
    float glow = heat > 0.0f ? heat : 0.0f;
    surf2Dwrite(make_float2(glow, heat - glow), colours, column * (int)sizeof(float2), row);
}

struct FieldTexture {
    cudaArray_t array = nullptr;
    cudaTextureObject_t object = 0;
    FieldTexture(const float *field, int across, int down)
    {
        cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        cudaMallocArray(&array, &format, across, down);
        cudaMemcpy2DToArray(array, 0, 0, field, across * sizeof(float), across * sizeof(float), down, cudaMemcpyDefault);
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc how{};
        how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
        how.filterMode = cudaFilterModeLinear;
        how.readMode = cudaReadModeElementType;
        cudaCreateTextureObject(&object, &resource, &how, nullptr);
    }
    ~FieldTexture()
    {
        cudaDestroyTextureObject(object);
        cudaFreeArray(array);
    }
};

cudaError_t colourHeat(const float *field, float2 *colours, int across, int down, float zoom)
{
    FieldTexture texture(field, across, down);
    cudaArray_t target;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
    cudaMallocArray(&target, &format, across, down, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = target;
    cudaSurfaceObject_t surface = 0;
    cudaCreateSurfaceObject(&surface, &resource);
    dim3 block(16, 8), grid((across + 15) / 16, (down + 7) / 8);
    colourField<<<grid, block>>>(texture.object, surface, across, down, zoom);
    cudaError_t status = cudaMemcpy2DFromArray(colours, across * sizeof(float2), target, 0, 0, across * sizeof(float2), down, cudaMemcpyDefault);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(target);
    return status;
}
