struct Vertex {
    float position[3];
    float normal[3];
    float uv[2];
};

struct Mat3x4 {
    float m[12];
};

__device__ inline float row(const Mat3x4& t, int r, const float* p)
{
    return t.m[4 * r] * p[0] + t.m[4 * r + 1] * p[1] + t.m[4 * r + 2] * p[2] + t.m[4 * r + 3];
}

__global__ void transformVertices(const Vertex* in, float* xs, float* ys, float* zs, Mat3x4 t, int count)
{
    int v = threadIdx.x + blockIdx.x * blockDim.x;
    if (v >= count) return;
    float p[3];
    for (int k = 0; k < 3; ++k) p[k] = in[v].position[k];
    xs[v] = row(t, 0, p);
    ys[v] = row(t, 1, p);
    zs[v] = row(t, 2, p);
}

void Transform(const float* vertices, float* xs, float* ys, float* zs, float s, int count)
{
    Mat3x4 t = {{s, 0, 0, 1, 0, s, 0, 2, 0, 0, s, 3}};
    transformVertices<<<(count + 127) / 128, 128>>>(reinterpret_cast<const Vertex*>(vertices), xs, ys, zs, t, count);
}
