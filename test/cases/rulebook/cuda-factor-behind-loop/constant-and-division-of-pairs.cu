//@case {"kernel": "coulomb", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["atoms", "energy", {"value": 2, "dtype": "float32"}, {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
struct Atom { float x, y, z, q; };
__global__ void coulomb(const Atom* atoms, float* energy, float dielectric, int count)
{
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    if (me >= count) return;
    const Atom a = atoms[me];
    float e = 0.5f;
    for (int other = 0; other < count; other++) { //@ instructions=900
        if (other == me) continue; //@ instructions=900
        const Atom b = atoms[other]; //@ instructions=900
        const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z; //@ instructions=900
        const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f); //@ instructions=900
        e += a.q * b.q * inv * 332.0637f / dielectric; //@ instructions=4000
    }
    energy[me] = e;
}
void launch(const Atom* atoms, float* energy, float dielectric, int count) {
    coulomb<<<(count + 127) / 128, 128>>>(atoms, energy, dielectric, count);
}
