import { beforeAll, describe, expect, it } from "vitest";
import { networkOf } from "../../../../server/core/agent/rulebook/cuda/lists/sorted-lists";
import type { RuleParse } from "../../../../server/core/agent/rulebook/rule";
import { smallRun } from "../../../../server/core/language/cuda/body/small-runs";
import { ruleParse } from "./grammars";

let parse: RuleParse;
beforeAll(async () => {
  parse = await ruleParse();
});

/** What a statement leaves of a list `v` of 5, 3, 9, 3 with `N` 4; "not followed", or "no end". */
function left(statement: string): string {
  const root = parse("small.cu", `void f() { ${statement} }`);
  const [body] = root?.descendantsOfType("compound_statement") ?? [];
  const [first] = body?.namedChildren ?? [];
  if (first === undefined) throw new Error("no statement");
  const run = smallRun(first, (name) => (name === "N" ? 4 : undefined));
  if (run === undefined) return "not followed";
  const list = [5, 3, 9, 3];
  return run(new Map([["v", list]])) ? list.join(" ") : "no end";
}

describe("statements that are run on small numbers", () => {
  it.each([
    ["for (int i = 0; i < N; ++i) v[i] = 2 * v[i] + i % 2;", "10 7 18 7"],
    ["for (int i = 0, j = N - 1; i < j; i++, j--) { int h = v[i]; v[i] = v[j]; v[j] = h; }", "3 9 3 5"],
    [
      "for (int i = 0; i + 1 < N; i++) if (v[i] > v[i + 1]) { v[i] ^= v[i + 1]; v[i + 1] ^= v[i]; v[i] ^= v[i + 1]; }",
      "3 5 3 9",
    ],
    ["{ int k = N; while (k-- > 0) { if (v[k] == 9) break; v[k] = max(v[k], 4) >> 1; } }", "5 3 9 2"],
    ["for (int i = 0; i < N; i++) { if (i == 1) continue; else v[i] = -1; }", "-1 3 -1 -1"],
    ["for (int i = 0; i < N; i++) v[i] = i < 2 ? 7 : !v[i];", "7 7 0 0"],
    ["for (int i = 0; i <= N; i++) v[i] = 0;", "no end"],
    ["for (int i = 0; i < N; i++) v[i] = unknown;", "no end"],
    ["while (true) v[0] += 1;", "no end"],
    ["for (int i = 0; i < N; i++) v[i] = atomicAdd(p, 1);", "not followed"],
    ["for (int i = 0; i < N; i++) *p = v[i];", "not followed"],
    ["for (int i = 0; i < N; i++) v[i] = p->x;", "not followed"],
  ])("%s", (statement, expected) => {
    expect(left(statement)).toBe(expected);
  });
});

describe("networks of exchanges", () => {
  it.each(Array.from({ length: 12 }, (_, place) => place + 2))(
    // What sorts all zeros and ones sorts everything (Knuth, section 5.3.4, theorem Z).
    "sort zeros and ones of a list of %i",
    (size) => {
      const network = networkOf(size);
      for (let bits = 0; bits < 2 ** size; bits += 1) {
        const list = Array.from({ length: size }, (_, place) => (bits >> place) & 1);
        for (const [low, high] of network) {
          const [one = 0, other = 0] = [list[low], list[high]];
          [list[low], list[high]] = [Math.min(one, other), Math.max(one, other)];
        }
        expect(list).toEqual(list.toSorted((a, b) => a - b));
      }
    },
  );
});
