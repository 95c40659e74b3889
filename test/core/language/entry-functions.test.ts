import { beforeAll, expect, test } from "vitest";
import { entryFunctions } from "../../../server/core/language/cuda/entry/entry-functions";
import type { Grammars } from "../../../server/core/language/tree";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

let grammars: Grammars;
beforeAll(async () => {
  grammars = await loadGrammars();
});

const kernel = `
template <typename T> __global__ void scale(const T* x, T* y, int n) { y[0] = x[0]; }
`;

type Parameter = ReturnType<typeof entryFunctions>["callable"][number]["parameters"][number];

/** The elements of an array with their number in one vector, else the type of a number; empty for others. */
function typeOf(each: Parameter): string {
  if ("element" in each) return `${each.element?.dtype ?? "void"}x${each.element?.width ?? 1}`;
  return "dtype" in each ? each.dtype : "";
}

/** `name(parameters) -> result` of what can be called; what cannot, with its reason. */
function callable(text: string): readonly string[] {
  const tree = grammars.cuda.parse(`${kernel}${text}`);
  const files = new Map([["a.cu", tree.root]]);
  const { callable: found, refused } = entryFunctions({ files, all: tree.root }, "scale");
  const told = found.map(({ name, parameters, result }) => {
    const given = parameters.map((each) => {
      const value = each.kind === "number" ? ` ${each.value}` : "";
      const single = "isSingle" in each ? " of one" : "";
      return `${each.name}: ${each.kind} ${typeOf(each)}${value}${single}`.trim();
    });
    return `${name}(${given.join(", ")})${result ? ` -> ${result.dtype}` : ""}`;
  });
  tree.dispose();
  return [...told, ...refused];
}

test.each([
  {
    name: "pointers, structures, streams, numbers with and without a default",
    text: `namespace nn { struct Pair { double a, b; };
int run(const Pair* in, void* out, unsigned n, float by, int threads = 128, cudaStream_t stream = 0) {
  scale<<<1, 1>>>(in, (Pair*)out, n); } }`,
    found: [
      "nn::run(in: buffer float64x2, out: buffer float64x1, n: size uint32, by: number float32 0.5, threads: number int32 128, stream: stream)",
    ],
  },
  {
    name: "streams under other types, by what they are cast to",
    text: `void run(float* x, int n, void* queue, long long other) {
  scale<<<1, 1, 0, static_cast<cudaStream_t>(queue)>>>(x, n);
  scale<<<1, 1, 0, (cudaStream_t)other>>>(x, n); }`,
    found: ["run(x: buffer float32x1, n: size int32, queue: stream, other: stream)"],
  },
  {
    name: "untyped pointers, by what they are cast to",
    text: `using Row = __nv_bfloat162;
void run(const void* a, const void* b, void* c, void* d, void* e, int n) {
  // (const int*)a
  scale<<<1, 1>>>((const Row*)a, static_cast<Row*>(c), n);
  scale<<<1, 1>>>(reinterpret_cast<const __half *__restrict__>(b), (__half*)(d), n);
  scale<<<1, 1>>>((int*)e, (float*)e, n); }`,
    found: [
      "run(a: buffer bfloat16x1, b: buffer float16x1, c: buffer bfloat16x1, d: buffer float16x1, e: buffer voidx1, n: size int32)",
    ],
  },
  {
    name: "a pointer of which only the first element is looked at",
    text: `void run(const float* alpha, const float* beta, const float* first, float* out, int n) {
  // out[0] = *first + alpha[1]
  if (*alpha == 0 || * beta == 1) return;
  scale<<<1, 1>>>(first, out, n * (int)*beta); out[0] = *first; }`,
    found: [
      "run(alpha: buffer float32x1 of one, beta: buffer float32x1 of one, first: buffer float32x1, out: buffer float32x1, n: size int32)",
    ],
  },
  {
    name: "over a method, a macro and a template: the plain function that leads there",
    text: `#define GO(x, y, n) scale<<<1, 1>>>(x, y, n)
class Worker { public: void step(float* p) { GO(p, p, 1); } };
template <int B> void fixed(float* p) { Worker().step(p); }
std::vector<float> all(const std::vector<float>& in) { fixed<4>(nullptr); return in; }
int main() { all({}); }`,
    found: ["all(in: vector float32x1) -> float32", "fixed<4>(p: buffer float32x1)"],
  },
  {
    name: "template parameters without a name: known where they have a default, or where a call says them",
    text: `template <typename T, typename = void> void defaulted(const T* in, T* out) { scale<<<1, 1>>>(in, out, 1); }
template <typename> void nameless(float* p, int n) { scale<<<1, 1>>>(p, p, n); }
template <class, int> void told(float* p) { scale<<<1, 1>>>(p, p, 1); }
template void told<double, 8>(float*);`,
    found: [
      "defaulted<float>(in: buffer float32x1, out: buffer float32x1)",
      "told<double, 8>(p: buffer float32x1)",
      "nameless is a template whose arguments are not known",
    ],
  },
  {
    name: "templates: as the sources instantiate or call them, with float rather than another type",
    text: `template <class T, int N> void tiled(const T* in, T* out) { scale<<<1, N>>>(in, out, N); }
template <typename T, typename F> void mapped(T* p, F f) { scale<<<1, 1>>>(p, p, 1); }
template <typename T> void plain(T* p) { mapped<T, int>(p, 0); }
template void tiled<double, 32>(const double*, double*);
template void tiled<float, 64>(const float*, float*);
template <typename T, typename F> void never(T* p, F f) { scale<<<1, 1>>>(p, p, 1); }`,
    found: [
      "tiled<float, 64>(in: buffer float32x1, out: buffer float32x1)",
      "plain<float>(p: buffer float32x1)",
      "mapped is a template whose arguments are not known",
      "never is a template whose arguments are not known",
    ],
  },
  {
    name: "structures that are returned, of floats alone",
    text: `struct Stats { float mean; float peak; };
struct Mixed { float mean; int count; };
enum Status { fine, wrong };
Stats stats(const float* x, int n) { scale<<<1, 1>>>(x, n); return {}; }
Mixed mixed(const float* x, int n) { scale<<<1, 1>>>(x, n); return {}; }
Status status(float* x, int n) { scale<<<1, 1>>>(x, n); return fine; }`,
    found: [
      "stats(x: buffer float32x1, n: size int32) -> float32",
      "mixed(x: buffer float32x1, n: size int32)",
      "status(x: buffer float32x1, n: size int32)",
    ],
  },
  {
    name: "what nothing can be made up for, and what gets no data",
    text: `void table(float** rows, int n) { scale<<<1, 1>>>(rows[0], rows[1], n); }
void demo() { table(nullptr, 1); }`,
    found: [
      "nothing can be made up for table's parameter rows (float**)",
      "demo is given no data and returns none",
    ],
  },
  {
    name: "structures by their members, named after the parameter where others have the name too",
    text: `struct Csr { int rows, n; const int *offsets; float *values; int at(int i) const { return i; } };
struct Node { int key; Node *next; }; struct Matrix { float m[16][16]; int n; };
void multiply(const Csr &a, const float *x, int n) { scale<<<1, 1>>>(x, a.values, n); }
void walk(Node head, float *y) { scale<<<1, 1>>>(y, y, 1); }
void turn(Matrix by, float *y) { scale<<<1, 1>>>(y, y, 1); }`,
    found: [
      "multiply(rows: size int32, a_n: size int32, offsets: buffer int32x1, values: buffer float32x1, x: buffer float32x1, n: size int32)",
      "nothing can be made up for walk's parameter head (Node)",
      "nothing can be made up for turn's parameter by (Matrix)",
    ],
  },
  {
    name: "structures that a template makes, and templates over numbers with a usual value",
    text: `template <typename T, int N> struct View { T* p; int size[N]; T& at(int i) const { return p[i]; } };
template <typename T> void fill(View<T, 2> v, const float* x) { scale<<<1, 1>>>(x, v.p, v.size[0]); }
template <int BLOCK, bool fast> void go(const float* x, float* y) { scale<<<1, BLOCK>>>(x, y, 1); }
void run(View<const double, 1> a, float* y) { scale<<<1, 1>>>(y, y, a.size[0]); }`,
    found: [
      "run(p: buffer float64x1, size_0: size int32, y: buffer float32x1)",
      "fill<float>(p: buffer float32x1, size_0: size int32, size_1: size int32, x: buffer float32x1)",
      "go<256, false>(x: buffer float32x1, y: buffer float32x1)",
    ],
  },
  {
    name: "structures whose address is of the host, as its members are read, and lists of such structures",
    text: `struct Grid { int nx, ny; float dx; }; struct Fields { const float *now; float *next; };
void step(const Grid* g, const Fields* f) { scale<<<g->ny, 32>>>(f->now, f->next, g->nx); }
void all(const Grid* grids, const Fields& f, int n) { scale<<<1, 32>>>(f.now, f.next, n); }`,
    found: [
      "step(nx: size int32, ny: size int32, dx: number float32 0.5, now: buffer float32x1, next: buffer float32x1)",
      "all(grids: buffer float32x3, now: buffer float32x1, next: buffer float32x1, n: size int32)",
    ],
  },
  {
    name: "vectors, structures within others, and matrices of different numbers",
    text: `struct Ray { float3 from; int2 cell; }; struct Lens { Ray first; float m[2][2]; const float* shape; };
void look(const Lens& lens, float2 at, float* y, int n) { scale<<<1, 32>>>(lens.shape, y, n); }`,
    found: [
      "look(first_from_x: number float32 0.5, first_from_y: number float32 0.5, first_from_z: number float32 0.5, first_cell_x: size int32, first_cell_y: size int32, m_0: number float32 0.5, m_1: number float32 0.25, m_2: number float32 0.75, m_3: number float32 0.375, shape: buffer float32x1, at_x: number float32 0.5, at_y: number float32 0.5, y: buffer float32x1, n: size int32)",
    ],
  },
  {
    name: "numbers that have to be equal have one name",
    text: `struct Vec { float* p; int n; }; struct Mat { const float* q; int rows, cols; };
int mul(const Mat& a, const Vec* x, Vec* y) {
  if (a.cols != x->n || y->n != a.rows) return 1;
  scale<<<1, 32>>>(x->p, y->p, a.rows); return 0; }`,
    found: [
      "mul(q: buffer float32x1, rows: size int32, cols: size int32, x_p: buffer float32x1, cols: size int32, y_p: buffer float32x1, rows: size int32)",
    ],
  },
  { name: "no host function", text: "", found: [] },
])("$name", ({ text, found }) => {
  expect(callable(text)).toEqual(found);
});
