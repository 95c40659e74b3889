/*
 * Cluster pair kernel: soft-core Lennard-Jones energy and embedding density per atom.
 * Atoms are sorted into clusters of 32; every block takes one i-cluster and walks its
 * list of j-clusters. blockDim = (32, 4).
 *
 * posq : x, y, z, sqrt(epsilon)
 */
#define CL_SIZE 32
#define CL_ROWS 4

#define SOFT_ALPHA 0.5f
#define SIGMA2 0.81f

__device__ __forceinline__ float lj_soft(float r2, float eps)
{
    float s2 = SIGMA2 / (r2 + SOFT_ALPHA);
    float s6 = s2 * s2 * s2;
    return 4.0f * eps * (s6 * s6 - s6);
}

__global__ void cluster_energy(const float4 *__restrict__ posq, const int *__restrict__ jlist, int njlist,
                               float *__restrict__ energy, float *__restrict__ density, int natoms, float rcut2)
{
    __shared__ float4 xi[CL_SIZE];
    __shared__ float e_pair[CL_SIZE][CL_SIZE];
    __shared__ float d_pair[CL_SIZE][CL_SIZE];
    __shared__ float2 part[CL_ROWS][CL_SIZE];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int ci = blockIdx.x;
    const float inv_rc2 = 1.0f / rcut2;
    const float shift = lj_soft(rcut2, 1.0f);

    if (ty == 0 && ci * CL_SIZE + tx < natoms)
        xi[tx] = posq[ci * CL_SIZE + tx];
    else if (ty == 0)
        xi[tx] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();

    float e_sum = 0.0f, d_sum = 0.0f;
    for (int n = 0; n < njlist; n++) {
        const int j = jlist[ci * njlist + n] * CL_SIZE + tx;
        float4 xj = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (j < natoms)
            xj = posq[j];

        /* lane = atom j, rows of the tile = atoms i */
        for (int i = ty; i < CL_SIZE; i += CL_ROWS) {
            float dx = xi[i].x - xj.x, dy = xi[i].y - xj.y, dz = xi[i].z - xj.z;
            float r2 = dx * dx + dy * dy + dz * dz;
            bool in = j < natoms && j != ci * CL_SIZE + i && r2 < rcut2;
            float u = 1.0f - r2 * inv_rc2;
            float eps = xi[i].w * xj.w;
            e_pair[i][tx] = in ? lj_soft(r2, eps) - eps * shift : 0.0f;
            d_pair[i][tx] = in ? u * u : 0.0f;
        }
        __syncthreads();

        /* lane = atom i, each row of threads adds a quarter of the j atoms */
        for (int k = ty * (CL_SIZE / CL_ROWS); k < (ty + 1) * (CL_SIZE / CL_ROWS); k++) {
            e_sum += e_pair[tx][k];
            d_sum += d_pair[tx][k];
        }
        __syncthreads();
    }

    part[ty][tx] = make_float2(e_sum, d_sum);
    __syncthreads();
    if (ty == 0 && ci * CL_SIZE + tx < natoms) {
        float2 s = part[0][tx];
        for (int r = 1; r < CL_ROWS; r++) {
            s.x += part[r][tx].x;
            s.y += part[r][tx].y;
        }
        energy[ci * CL_SIZE + tx] = 0.5f * s.x;
        density[ci * CL_SIZE + tx] = s.y;
    }
}
