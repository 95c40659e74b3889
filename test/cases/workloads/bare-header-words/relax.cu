#include "slots.h"

typedef field_t value_t;

// Hands free slots to whoever asks first; others keep their owner.
__global__ void claim_slots(int* owner, const int* wanted_by, int slots) {
  int slot = blockIdx.x * blockDim.x + threadIdx.x;
  if (slot >= slots) return;
  if (owner[slot] == SLOT_FREE) owner[slot] = wanted_by[slot];
}

// One step of relaxation inside the lattice; the edge is copied or cleared.
__global__ void relax(const value_t* before, value_t* after, Lattice lattice) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= lattice.width || y >= lattice.height) return;
  int at = y * lattice.width + x;
  bool inside = x > 0 && y > 0 && x < lattice.width - 1 && y < lattice.height - 1;
  if (!inside) {
    after[at] = lattice.edge == EDGE_COPY ? before[at] : value_t(0);
    return;
  }
  value_t around = before[at - 1] + before[at + 1] + before[at - lattice.width] + before[at + lattice.width];
  after[at] = before[at] + lattice.rate * (around - 4 * before[at]);
}
