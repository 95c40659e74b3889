import { beforeAll, expect, test } from "vitest";
import { entryFunctions } from "../../../server/core/language/cuda/entry/entry-functions";
import type { Grammars } from "../../../server/core/language/tree";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

let grammars: Grammars;
beforeAll(async () => {
  grammars = await loadGrammars();
});

/** What `run(const float* x, int n, int d)` with this body asks of its numbers, and compares them with. */
function askedBy(body: string): Readonly<Record<string, unknown>> {
  const text = `constexpr int kTile = 512;
__global__ void k(const float* x, int n, int d) {}
void small(const float* x, int n);
int run(const float* x, int n, int d, float eps) { ${body} k<<<1, 1>>>(x, n, d); return 0; }`;
  const tree = grammars.cuda.parse(text);
  const { callable } = entryFunctions({ files: new Map([["a.cu", tree.root]]), all: tree.root }, "k");
  tree.dispose();
  const sizes = callable[0]?.parameters.filter((each) => each.kind === "size") ?? [];
  return Object.fromEntries(
    sizes.flatMap(({ name, asked, compared }) =>
      asked === undefined && compared === undefined
        ? []
        : [[name, { ...asked, ...(compared && { compared }) }]],
    ),
  );
}

test.each([
  { body: "assert(n % 4 == 0 && n > 7);", asked: { n: { multipleOf: 4, least: 8 } } },
  { body: "assert(!(n % 6)); assert((d & 3) == 0);", asked: { n: { multipleOf: 6 }, d: { multipleOf: 4 } } },
  { body: "assert(n % 4 == 0); REQUIRE(n % 6 == 0);", asked: { n: { multipleOf: 12 } } },
  {
    body: "if (d != 64 && d != 128) return -1;",
    asked: { d: { values: [64, 128] } },
  },
  {
    body: 'TORCH_CHECK(d == 32 || 64 == d, "d ", d);',
    asked: { d: { values: [32, 64], compared: [32, 64] } },
  },
  {
    body: 'if (n < 2 * kTile || d > 8) { puts("no"); return 1; }',
    asked: { n: { least: 1024 }, d: { most: 8 } },
  },
  { body: "if (1024u < (unsigned)n) throw 1;", asked: { n: { most: 1024 } } },
  { body: "CHECK_LE(n, 1 << 10); ASSERT_GT(d, 2);", asked: { n: { most: 1024 }, d: { least: 3 } } },
  { body: "assert((n & (n - 1)) == 0);", asked: { n: { isPower: true } } },
  { body: "const int block = 128; if (n % block) return 2;", asked: { n: { multipleOf: 128 } } },
  { body: "if (n < 1024) { small(x, n); return 0; }", asked: {} },
  { body: "if (n < 64) { k<<<1, 32>>>(nullptr, n, d); return 0; }", asked: {} },
  {
    body: "if (eps < 0.f || n % d) return 1;",
    asked: { n: { related: [{ kind: "multiple", name: "n", value: "d" }] } },
  },
  {
    body: "const int half = n / 2; assert(2 * half == d);",
    asked: { d: { related: [{ kind: "equal", name: "d", value: "2 * (n / 2)" }] } },
  },
  {
    body: 'if (n != 2 * d) throw "width";',
    asked: { n: { related: [{ kind: "equal", name: "n", value: "2 * d" }] } },
  },
  {
    body: "CHECK_GE(kTile * d, n);",
    asked: {},
  },
  {
    body: "if ((size_t)d > n) return 1;",
    asked: { n: { related: [{ kind: "least", name: "n", value: "d" }] } },
  },
  {
    body: "const bool fits = d > 0 && n % d == 0; if (!fits) return 1;",
    asked: { d: { least: 1 }, n: { related: [{ kind: "multiple", name: "n", value: "d" }] } },
  },
  { body: "const bool a = b; const bool b = a; if (!a) return 1;", asked: {} },
  { body: "REQUIRE(is_power_of_two(n));", asked: { n: { isPower: true } } },
  { body: "if (n == d) return 1;", asked: {} },
  {
    body: "switch (d) { case 16: break; case 32: break; default: return 1; }",
    asked: { d: { compared: [16, 32] } },
  },
])("what host code asks of its sizes: $body", ({ body, asked }) => {
  expect(askedBy(body)).toEqual(asked);
});
