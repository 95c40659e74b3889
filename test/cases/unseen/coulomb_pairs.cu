// Coulomb energy per atom; unit conversion constant and the dielectric are applied to every pair
struct Atom { float x, y, z, q; };
__global__ void coulomb(const Atom* atoms, float* energy, float dielectric, int count)
{
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    if (me >= count) return;
    const Atom a = atoms[me];
    float e = 0.5f;
    for (int other = 0; other < count; other++) {
        if (other == me) continue;
        const Atom b = atoms[other];
        const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
        e += a.q * b.q * inv * 332.0637f / dielectric;
    }
    energy[me] = e;
}
void coulomb_energy(const Atom* atoms, float* energy, float dielectric, int count)
{
    coulomb<<<(count + 127) / 128, 128>>>(atoms, energy, dielectric, count);
}
