import { expect, test } from "vitest";
import { elementTypeOf } from "../../../server/core/language/cuda/launch/element-types";
import { withSource } from "../../../server/core/language/source-file";
import { kernelsOfSources, parametersOf } from "../../../server/host/services/capture/program-kernels";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

test.each<[string, string, string | undefined]>([
  ["fields of one type", "struct T { float x, y; int* p() const; };", undefined],
  [
    "a function that is declared and returns the structure",
    "struct T { float x, y; T plus(T) const; };",
    "2",
  ],
  ["one that returns a reference to it", "class T { float v[3]; T& operator=(const T&); };", "3"],
  ["a vector that lies at multiples of sixteen bytes", "struct T { float4 p; float3 v; };", "8"],
  ["room between its fields", "struct T { float x; float2 y; float z; };", "6"],
  ["three fields that are aligned as four", "struct __align__(16) T { float x, y, z; };", "4"],
  ["the same in standard words", "typedef struct alignas(16) { float x, y, z; } T;", "4"],
  ["a structure that is aligned", "struct alignas(8) U { float x; }; struct T { float a; U u; };", "4"],
  ["three components, which lie anywhere", "struct T { float x; float3 y; };", "4"],
  ["a pointer to itself", "struct T { int value; T* next; };", undefined],
  ["itself, which no compiler takes", "struct T { int value; T next; };", undefined],
  ["each other", "struct T; struct U { T one; }; struct T { U other; };", undefined],
  ["a pointer to a function", "struct T { float x; float (*f)(float); };", undefined],
])("an element with %s", async (_, text, width) => {
  const found = withSource(await loadGrammars(), "t.cu", text, ({ tree }) => elementTypeOf("T", tree.root));
  expect(found === undefined ? undefined : String(found.width)).toBe(width);
});

test("buffers of structures whose fields have one type are read as that type", async () => {
  const text = [
    "struct Sums { double total, squares; };",
    "typedef struct { float low; float high; } Range;",
    "struct Mixed { float x; int y; };",
    "__global__ void sum(const Range *ranges, Sums *sums, Mixed *mixed) {}",
  ].join("\n");
  const grammars = await loadGrammars();
  const [kernel] = kernelsOfSources(grammars, { "t.cu": text });
  if (kernel === undefined) throw new Error("the source has a kernel");
  const parameters = parametersOf(kernel, "_Z3sumPK5RangeP4SumsP5Mixed");
  expect(parameters.map(({ dtype }) => dtype)).toEqual(["float32", "float64", undefined]);
});
