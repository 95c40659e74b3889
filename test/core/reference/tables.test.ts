import opcodes from "../../../server/core/vgpu/opcodes/table.json";
import { expect, test } from "vitest";
import { referenceEntries, referenceOf } from "../../../server/core/reference/tables";
import { parametersIn } from "../../../server/host/lsp/views/reference-text";

test.each(["cuda", "triton"] as const)(
  "entries of %s: each explains the parameters that it has",
  (language) => {
    const wrong = referenceEntries(language).flatMap(({ name, signatures = [], parameters = {} }) => {
      const named = signatures.flatMap((signature) => parametersIn(signature).map((each) => each.name));
      return Object.keys(parameters)
        .filter((parameter) => !named.includes(parameter))
        .map((parameter) => `${name}: ${parameter}`);
    });
    expect(wrong).toEqual([]);
    expect(referenceEntries(language).length).toBeGreaterThan(100);
  },
);

test("what is told of PTX is of instructions that the virtual GPU knows by name", () => {
  const families = new Set(Object.keys(opcodes.opcodes).map((name) => name.split(".")[0]));
  const unknown = referenceEntries("ptx").filter(({ name }) => !families.has(name.split(".")[0] ?? ""));
  expect(unknown).toEqual([]);
});

test("an entry, by its name", () => {
  expect(referenceOf("cuda", "__ballot_sync")).toEqual({
    name: "__ballot_sync",
    kind: "function",
    signatures: ["unsigned __ballot_sync(unsigned mask, int predicate)"],
    about: "Bit mask of the lanes whose predicate is not zero.",
    parameters: {
      mask: "Lanes that take part. All of them execute the same call; `0xffffffff` are all.",
      predicate: "The lane's own value.",
    },
  });
  expect(referenceOf("triton", "__ballot_sync")).toBeUndefined();
});

test.each([
  ["f()", []],
  [
    "int f(const T* a, void (*g)(int, int), Rest&&... rest)",
    ["const T* a", "void (*g)(int, int)", "Rest&&... rest"],
  ],
  ["tl.load(pointer, mask=None, shape=(), *, x='a')", ["pointer", "mask=None", "shape=()", "x='a'"]],
])("parameters of %s", (label, parameters) => {
  expect(parametersIn(label).map(({ span: [start, end] }) => label.slice(start, end))).toEqual(parameters);
});
