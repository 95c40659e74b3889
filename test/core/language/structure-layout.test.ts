import { expect, test } from "vitest";
import { structureLayout } from "../../../server/core/language/cuda/launch/structure-layout";
import { withSource } from "../../../server/core/language/source-file";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

/** Nine bytes with the values of their places. */
function nine(name: string): string {
  return Array.from({ length: 9 }, (_, place) => `${name}${place}@${place}=${place}`).join(" ");
}

test.each<[string, string, string | undefined]>([
  [
    "numbers by their alignment",
    "struct T { char kind; double weight; int count; };",
    "24 kind@0 weight@8 count@16",
  ],
  [
    "vectors",
    "struct T { float one; float3 at; float4 colour; int2 size; };",
    "48 one@0 at_x@4 at_y@8 at_z@12 colour_x@16 colour_y@20 colour_z@24 colour_w@28 size_x@32 size_y@36",
  ],
  [
    "dim3, which is aligned like a number",
    "struct T { int n; dim3 tiles; };",
    "16 n@0 tiles_x@4 tiles_y@8 tiles_z@12",
  ],
  [
    "a structure of its own",
    "struct U { char a; double b; }; struct T { int n; U pair; };",
    "24 n@0 pair_a@8 pair_b@16",
  ],
  ["a structure of one number", "struct U { float metres; }; struct T { U reach; };", "4 reach_metres@0"],
  [
    "what cudaMalloc3D gives",
    "struct T { cudaPitchedPtr p; int n; };",
    "40 p_*ptr@0 p_pitch@8 p_xsize@16 p_ysize@24 n@32",
  ],
  ["an address of anything", "struct T { void* raw; };", "8 *raw@0"],
  [
    "a class whose members are private",
    "class T { int n; float* data; public: int size() const; };",
    "16 n@0 *data@8",
  ],
  ["a matrix", "constexpr int N = 2; struct T { float m[N][2]; };", "16 m_0@0 m_1@4 m_2@8 m_3@12"],
  [
    "members of a template",
    "template <typename E, int N> struct U { E* p; int n[N]; }; struct T { U<double, 3> view; int k; };",
    "32 view_*p@0 view_n_0@8 view_n_1@12 view_n_2@16 k@24",
  ],
  ["numbers that would be too many sizes, as places", `struct T { char of[9]; };`, `9 ${nine("of_")}`],
  [
    "a table of structures, of which numbers are places",
    "struct U { float r; short k; }; struct T { U u[9]; };",
    `72 ${Array.from({ length: 9 }, (_, k) => `u_${k}_r@${8 * k} u_${k}_k@${8 * k + 4}=${k}`).join(" ")}`,
  ],
  ["a table that is too long", "struct T { float t[513]; };", undefined],
  ["a base", "struct U { int n; }; struct T : U { float x; };", undefined],
  ["itself", "struct T { int n; T next; };", undefined],
  ["a type that is not known", "struct T { Other o; };", undefined],
  ["addresses of addresses", "struct T { float** rows; };", undefined],
])("a structure with %s", async (_, text, layout) => {
  const found = withSource(await loadGrammars(), "t.cu", text, ({ tree }) =>
    structureLayout("T", [tree.root], (type) => type),
  );
  const members = found?.members.map(({ name, at, isPointer, value, pitch }) => {
    const fixed = value === undefined || name.endsWith("_pitch") || pitch !== undefined ? "" : `=${value}`;
    return isPointer ? `${name.replace(/([^_]*)$/, "*$1")}@${at}` : `${name}@${at}${fixed}`;
  });
  expect(found && [found.byteLength, ...(members ?? [])].join(" ")).toBe(layout);
});
