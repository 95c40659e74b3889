#pragma once

#ifdef USE_DOUBLE
typedef double field_t;
#else
typedef float field_t;
#endif

const int SLOT_FREE = -1;

enum Edge { EDGE_COPY, EDGE_ZERO };

struct Lattice {
  int width;
  int height;
  field_t rate;
  Edge edge;
};
