// Kernels that call: recursion, function pointers, virtual functions, structures by value, alloca. The test compiles this file twice: with nvcc
// for the virtual GPU, and with g++ (HOST) for the expected numbers.
#ifdef HOST
#include <alloca.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define __device__
#define __global__
#define __noinline__ __attribute__((noinline))
static struct { int x; } threadIdx;
#else
#include <alloca.h>
#endif

// Recursion.
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ bool isOdd(unsigned n);
__device__ bool isEven(unsigned n) { return n == 0 || isOdd(n - 1); }
__device__ bool isOdd(unsigned n) { return n != 0 && isEven(n - 1); }

__device__ long long ackermann(long long m, long long n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__device__ double treeSum(const int* values, int from, int to, double scale) {
  if (to - from == 1) return values[from] * scale;
  int middle = (from + to) / 2;
  return treeSum(values, from, middle, scale * 0.5) + treeSum(values, middle, to, scale + 0.25);
}

extern "C" __global__ void recursion(int* out) {
  int i = threadIdx.x;
  out[i] = fibonacci(i % 12) * 1000 + isEven(i) * 10 + (int)ackermann(i % 3, i % 5);
}

extern "C" __global__ void tree(int* out, int* values) {
  int i = threadIdx.x;
  out[i] = (int)(treeSum(values, i % 7, 8 + i % 25, 1.0 + i) * 16);
}

// Locals whose address goes down the recursion.
__device__ void sortRange(int* values, int low, int high) {
  if (low >= high) return;
  int pivot = values[(low + high) / 2], left = low, right = high;
  while (left <= right) {
    while (values[left] < pivot) left++;
    while (values[right] > pivot) right--;
    if (left <= right) { int kept = values[left]; values[left++] = values[right]; values[right--] = kept; }
  }
  sortRange(values, low, right);
  sortRange(values, left, high);
}

extern "C" __global__ void quicksort(int* out) {
  int mine[32];
  for (int j = 0; j < 32; j++) mine[j] = (int)((threadIdx.x * 2654435761u + j * 40503u) >> 7) % 1000;
  sortRange(mine, 0, 31);
  for (int j = 0; j < 32; j++) out[threadIdx.x * 32 + j] = mine[j];
}

__device__ int collect(int depth, int* parent, int index) {
  int own[4];
  for (int j = 0; j < 4; j++) own[j] = parent[(j + index) & 3] + depth * j;
  if (depth == 0) return own[index & 3];
  int sum = collect(depth - 1, own, index + 1);
  own[depth & 3] += sum;
  sum += collect(depth - 1, own, index + 2);
  return sum + own[(depth + 1) & 3] - parent[0];
}

extern "C" __global__ void frames(int* out) {
  int start[4] = {(int)threadIdx.x, 1, 2, 3};
  out[threadIdx.x] = collect(threadIdx.x % 6, start, threadIdx.x);
}

// Function pointers.
typedef int (*Operation)(int, int);
__device__ int addBoth(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int power(int a, int b) { return b <= 0 ? 1 : a * power(a, b - 1); }
__device__ Operation operations[4] = {addBoth, subtract, multiply, power};

extern "C" __global__ void table(int* out, int* which) {
  int i = threadIdx.x;
  out[i] = operations[which[i] & 3](i, 5);
}

__device__ __noinline__ int apply(Operation operation, int a, int b) { return operation(a, b) + 1; }

extern "C" __global__ void pointers(int* out, int* which) {
  int i = threadIdx.x;
  Operation chosen = i % 3 == 0 ? power : which[i] & 1 ? multiply : subtract;
  if (i % 5 != 4) out[i] = apply(chosen, i, i % 4);
  else out[i] = -1;
}

// Virtual functions.
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual int corners(int more) const { return more; }
};
struct Square : Shape {
  float side;
  __device__ Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
  __device__ int corners(int more) const override { return 4 + more; }
};
struct Circle : Shape {
  float radius;
  __device__ Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3.0f * radius * radius; }
};
__device__ __noinline__ float measure(const Shape& shape, int i) { return shape.area() + shape.corners(i); }

extern "C" __global__ void shapes(int* out) {
  int i = threadIdx.x;
  Square square(i);
  Circle circle(i + 1);
  const Shape* chosen = i & 1 ? (const Shape*)&square : &circle;
  out[i] = (int)measure(*chosen, i);
}

// Structures by value.
struct Small { char c; short s; bool b; };
struct Large { int a[6]; double d; long long l[20]; };
struct Huge { int values[200]; };
__device__ __noinline__ Small twist(Small v, short by) { v.c += by; v.s = v.s * by - v.c; v.b = !v.b; return v; }
__device__ __noinline__ Large mix(Large v, int k) { for (int j = 0; j < 6; j++) v.a[j] += k * j; v.d *= k; for (int j = 0; j < 20; j++) v.l[j] ^= (long long)k << j; return v; }
__device__ __noinline__ int pick(Large v, int index) { return v.a[index % 6] + (int)v.l[index % 20]; }
__device__ __noinline__ int sumHuge(Huge v, int step) { int sum = 0; for (int j = 0; j < 200; j += step) sum += v.values[j]; return sum; }
__device__ Large repeat(Large v, int depth) { if (depth == 0) return v; v.a[depth % 6] += depth; Large w = repeat(mix(v, depth), depth - 1); w.d += v.d; return w; }

extern "C" __global__ void structures(int* out) {
  int i = threadIdx.x;
  Small small = {(char)i, (short)(i * 3), (i & 2) != 0};
  small = twist(small, 7);
  Large large;
  for (int j = 0; j < 6; j++) large.a[j] = i * j;
  large.d = i * 0.5;
  for (int j = 0; j < 20; j++) large.l[j] = (long long)i * j * 1000003;
  Large mixed = mix(large, i);
  Large deep = repeat(large, i % 5);
  Huge huge;
  for (int j = 0; j < 200; j++) huge.values[j] = i ^ j;
  out[i] = small.c + small.s * 2 + small.b + pick(mixed, i) + (int)mixed.d + deep.a[3] + (int)deep.d + (int)deep.l[7] + sumHuge(huge, 1 + i % 3);
}

// alloca, also in a loop and in recursion.
__device__ __noinline__ int scramble(int n) {
  int* room = (int*)alloca(n * sizeof(int));
  for (int j = 0; j < n; j++) room[j] = j * n;
  int sum = 0;
  for (int j = n; j-- > 0;) sum += room[(j * 7) % n] * j;
  return sum;
}
__device__ int nested(int depth, int* before) {
  if (depth == 0) return before[0];
  int* room = (int*)alloca((depth + 1) * 4);
  for (int j = 0; j <= depth; j++) room[j] = before[0] + j;
  return nested(depth - 1, room) + room[depth];
}

extern "C" __global__ void allocations(int* out) {
  int i = threadIdx.x, start = i, sum = 0;
  for (int round = 0; round < 40; round++) sum += scramble(1 + (i + round) % 60);
  out[i] = sum + nested(i % 9, &start);
}

// malloc and free.
struct Link { int value; Link* next; };

extern "C" __global__ void lists(int* out) {
  Link* head = nullptr;
  for (int j = 0; j < 5 + threadIdx.x % 7; j++) {
    Link* link = (Link*)malloc(sizeof(Link));
    link->value = j * (threadIdx.x + 1);
    link->next = head;
    head = link;
  }
  int sum = 0;
  while (head) { sum = sum * 3 + head->value; Link* next = head->next; free(head); head = next; }
  out[threadIdx.x] = sum;
}

#ifndef HOST
// Barriers and shuffles inside of calls, and threads that leave in one.
__device__ __noinline__ int shareSum(int* shared, int value) {
  shared[threadIdx.x] = value;
  __syncthreads();
  int sum = 0;
  for (int j = 0; j < blockDim.x; j++) sum += shared[j];
  __syncthreads();
  return sum;
}
__device__ int reduceDeep(int* shared, int value, int depth) {
  if (depth == 0) return shareSum(shared, value);
  int sum = reduceDeep(shared, value + depth, depth - 1);
  return sum + __shfl_xor_sync(0xffffffffu, value, depth);
}
extern "C" __global__ void barriers(int* out) {
  __shared__ int shared[96];
  out[threadIdx.x] = reduceDeep(shared, threadIdx.x, 4) + shareSum(shared, 1);
}

__device__ int leave(int n, int* out) {
  if (n == 3) { out[threadIdx.x] = 33; asm volatile("exit;"); }
  return n == 0 ? 5 : leave(n - 1, out) + 1;
}
extern "C" __global__ void leaving(int* out) {
  int result = leave(threadIdx.x % 6 == 5 ? 4 : threadIdx.x % 3, out);
  out[threadIdx.x] = result;
}

// Lanes of one warp that wait for each other in a function that is called.
__device__ int held;
__device__ bool take(int* lock) { return atomicCAS(lock, 0, 1) == 0; }
__device__ bool takeSlowly(int* lock) { return atomicCAS(lock, 0, threadIdx.x + 1) == 0; }
__device__ bool (*takers[2])(int*) = {take, takeSlowly};
extern "C" __global__ void locks(int* out) {
  bool (*taker)(int*) = takers[threadIdx.x & 1];
  while (!taker(&held)) {}
  out[0] = out[0] * 1 + 1;
  out[1 + threadIdx.x % 63] = out[0];
  __threadfence();
  atomicExch(&held, 0);
}
#else
template <int N> void show(const char* name, void (*kernel)(int*)) {
  static int out[64 * 32];
  for (threadIdx.x = 0; threadIdx.x < 64; threadIdx.x++) kernel(out);
  printf("%s", name);
  for (int i = 0; i < 64 * N; i++) printf(" %d", out[i]);
  printf("\n");
}
static int inputs[64];
int main() {
  for (int i = 0; i < 64; i++) inputs[i] = (i * 7 + 3) % 11;
  show<1>("recursion", recursion);
  show<1>("tree", [](int* out) { tree(out, inputs); });
  show<32>("quicksort", quicksort);
  show<1>("frames", frames);
  show<1>("table", [](int* out) { table(out, inputs); });
  show<1>("pointers", [](int* out) { pointers(out, inputs); });
  show<1>("shapes", shapes);
  show<1>("structures", structures);
  show<1>("allocations", allocations);
  show<1>("lists", lists);
}
#endif
