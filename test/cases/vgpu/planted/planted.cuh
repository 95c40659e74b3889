// Each kernel of this folder has one bug and a twin without it: the same text, compiled with FIXED.
//
// Above each kernel stands one line for the test (see test/core/vgpu/planted-cases.ts):
//   //: KIND | grid X[,Y[,Z]] | block X[,Y[,Z]] | shared BYTES | NAME = TYPE[COUNT] FILL | NAME = NUMBER | free NAME
// in the order of the kernel's parameters; "grid 3 -> 4" is 3 with the bug and 4 without; memory with no FILL was never written; "free"
// happens before the launch with the bug only. The line at fault ends in "// BUG", the other party's line of a race in "// OTHER"; a line that may be either ends in both.
#pragma once

#ifdef FIXED
#define FIX(...) __VA_ARGS__
#define PICK(bug, fixed) fixed
#else
#define FIX(...)
#define PICK(bug, fixed) bug
#endif

#define KERNEL extern "C" __global__ void
