import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe as suite, expect, it } from "vitest";
import { problemsOf, readCases } from "./conformance-cases";
import { casesFolder } from "../support";
import { drawn } from "../../../harness/draws";

const files = readdirSync(join(casesFolder, "conformance", "expected")).map((name) =>
  name.replace(/\.json$/, ""),
);

suite.each(files)("conformance: %s", (name) => {
  const file = readCases(name);
  const opcodes = [...new Set(file.cases.map((entry) => entry.opcode))];
  it.each(opcodes)("%s", (opcode) => {
    const cases = drawn(file.cases.filter((entry) => entry.opcode === opcode));
    expect(problemsOf(file, cases).slice(0, 20)).toEqual([]);
  });
});
