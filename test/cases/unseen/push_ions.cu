#define IONS 128

typedef struct ion { float x, y, z, q, vx, vy, vz, m; } ion;

/* 1-D chains of ions, one per block: each pulls its neighbours; SUB leap-frog steps without leaving the chip */
__global__ void push(const ion *from, ion *to, int substeps, float dt)
{
    __shared__ ion c[IONS];
    int t = threadIdx.x;
    c[t] = from[blockIdx.x*IONS + t];
    __syncthreads();
    for (int s = 0; s < substeps; s++) {
        int l = (t + IONS - 1) % IONS, r = (t + 1) % IONS;
        float k = c[t].q / c[t].m;
        float fx = c[l].x + c[r].x - 2.0f*c[t].x;
        float fy = c[l].y + c[r].y - 2.0f*c[t].y;
        float fz = c[l].z + c[r].z - 2.0f*c[t].z;
        c[t].vx += k*fx*dt;
        c[t].vy += k*fy*dt;
        c[t].vz += k*fz*dt;
        __syncthreads();
        c[t].x += c[t].vx*dt;
        c[t].y += c[t].vy*dt;
        c[t].z += c[t].vz*dt;
        __syncthreads();
    }
    to[blockIdx.x*IONS + t] = c[t];
}

void push_ions(const float *from, float *to, int chains, int substeps, float dt)
{
    push<<<chains, IONS>>>((const ion *)from, (ion *)to, substeps, dt);
}
