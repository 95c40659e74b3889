#pragma once
#define THREADS_PER_BLOCK 256
#define GRID_FOR(n) (((n) + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK)
// LAUNCH(kernel, n)(arguments...)
#define LAUNCH(kernel, n) kernel<<<GRID_FOR(n), THREADS_PER_BLOCK>>>
