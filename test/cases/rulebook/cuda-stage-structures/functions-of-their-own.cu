//@case {"kernel": "step"}
template <typename Real>
struct Vector {
  Real x = 0, y = 0, z = 0;
  Vector() = default;
  __device__ Vector(Real a, Real b, Real c) : x(a), y(b), z(c) {}
  __device__ Vector operator*(Real s) const { return Vector(x * s, y * s, z * s); } //@ globalLoadSectors=2048 globalLoadSectorsIdeal=256
  __device__ void add(const Vector& o) { x += o.x; y += o.y; z += o.z; } //@ globalLoadSectors=2048 globalLoadSectorsIdeal=256 globalStoreSectors=2048 globalStoreSectorsIdeal=256
};
class Body {
 public:
  Vector<float> position, velocity;
  float mass;
  static constexpr int kinds = 3;
  bool heavy() const { return mass > 1.0f; }
};

__global__ void step(Body* bodies, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Body& body = bodies[i];
  body.position.add(body.velocity * dt); //@ instructions=100
}
void run(Body* bodies, int n, float dt) { step<<<(n + 127) / 128, 128>>>(bodies, n, dt); }
