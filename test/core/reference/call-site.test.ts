import { expect, test } from "vitest";
import { callAround, nameAt } from "../../../server/core/reference/call-site";
import type { ReferenceLanguage } from "../../../server/core/reference/entry";

interface Case {
  readonly name: string;
  readonly language: ReferenceLanguage;
  /** The place is at `|`. */
  readonly text: string;
  /** Callee, argument, and how it is meant; undefined for no call. */
  readonly call?: string;
}

const cases: readonly Case[] = [
  { name: "the first argument", language: "cuda", text: "atomicAdd(|", call: "atomicAdd 0" },
  { name: "past commas of inner calls", language: "cuda", text: "f(min(a, b), c[i, j], |)", call: "f 2" },
  { name: "inside an inner call", language: "cuda", text: "f(a, min(b, |c))", call: "min 1" },
  { name: "behind a comma in a text", language: "cuda", text: "f(\"a,(\", ',', |", call: "f 2" },
  { name: "behind a comma in a comment", language: "cuda", text: "f(a /* b, ( */, // c, (\n |", call: "f 1" },
  { name: "a launch", language: "cuda", text: "k<<<grid, block>>>(a, |", call: "k 1 launch" },
  {
    name: "a launch of a template",
    language: "cuda",
    text: "ns::k<float, S<2>>  <<<g, b, 0, s>>> (|",
    call: "ns::k 0 launch",
  },
  { name: "its configuration is no call", language: "cuda", text: "g(k<<<grid, |" },
  { name: "a call in its configuration", language: "cuda", text: "k<<<div(n, |", call: "div 1" },
  { name: "a call of a template", language: "cuda", text: "go<float>(a, |", call: "go 1" },
  { name: "after the statement before", language: "cuda", text: "f(a; g(|", call: "g 0" },
  { name: "a condition is no call", language: "cuda", text: "if (a, |" },
  { name: "after a call", language: "cuda", text: "f(a) + |" },
  { name: "braces as an argument", language: "cuda", text: "f({1, 2}, |", call: "f 1" },
  { name: "inside braces of an argument", language: "cuda", text: "f({1, |", call: "f 0" },
  { name: "a member of a module", language: "triton", text: "x = tl.load(p + i, |", call: "tl.load 1" },
  { name: "a keyword", language: "triton", text: "tl.load(p, mask=m, other=|", call: "tl.load 2 other" },
  { name: "a comparison is no keyword", language: "triton", text: "tl.where(a == |", call: "tl.where 0" },
  { name: "a launch by a subscript", language: "triton", text: "norm[(n, 1)](x, |", call: "norm 1 launch" },
  {
    name: "a launch of a module's kernel",
    language: "triton",
    text: "ops.norm[grid](|",
    call: "ops.norm 0 launch",
  },
  { name: "behind a comment", language: "triton", text: "f(a,  # one, (two\n  |", call: "f 1" },
  { name: "behind a text of several lines", language: "triton", text: 'f("""a, (\n""", |', call: "f 1" },
];

test.each(cases)("$name", ({ text, language, call }) => {
  const found = callAround(text.replace("|", ""), text.indexOf("|"), language);
  const words = [
    found?.callee,
    found?.argument,
    found?.keyword,
    found?.launch === true ? "launch" : undefined,
  ];
  expect(found && words.filter((word) => word !== undefined).join(" ")).toBe(call);
  if (found !== undefined) expect(text.slice(found.start)).toMatch(new RegExp(`^${found.callee}`));
});

test.each([
  ["a + tl.lo|ad(p)", "tl.load"],
  ["thread|Idx.x", "threadIdx"],
  ["threadIdx.|x", "threadIdx.x"],
  ["12|3 + b", undefined],
  ["a + | b", undefined],
])("the name in %s is %s", (text, name) => {
  expect(nameAt(text.replace("|", ""), text.indexOf("|"))?.name).toBe(name);
});

test("a long text without a call is read in a moment", () => {
  const text = `${"a<b ".repeat(20_000)}(`;
  expect(callAround(text, text.length, "cuda")?.callee).toBe("b");
});
