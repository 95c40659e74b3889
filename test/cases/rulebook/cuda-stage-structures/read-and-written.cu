//@case {"kernel": "relax"}
typedef struct { float x, y, z; int kind; float mass; } node_t;
namespace mesh {
// A structure is read and written through a reference, another one only written, member by member.
__global__ void relax(node_t* nodes, float3* const forces, int count, float k) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (!(i < count)) return;
  node_t& node = nodes[i];
  const float pull = k / node.mass;
  node.x -= pull * node.x; //@ globalLoadSectors=2048 globalLoadSectorsIdeal=512 globalStoreSectors=640 globalStoreSectorsIdeal=128
  forces[i].x = pull * node.x; //@ globalStoreSectors=384 globalStoreSectorsIdeal=128
  forces[i].y = pull * node.y; //@ globalLoadSectors=640 globalLoadSectorsIdeal=128 globalStoreSectors=384 globalStoreSectorsIdeal=128
  forces[i].z = node.kind > 0 ? pull : 0.0f; //@ globalLoadSectors=640 globalLoadSectorsIdeal=128 globalStoreSectors=384 globalStoreSectorsIdeal=128
}
}
void run(node_t* nodes, float3* forces, int count) { mesh::relax<<<(count + 127) / 128, 128>>>(nodes, forces, count, 0.5f); }
