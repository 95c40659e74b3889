import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { rules } from "../../../../server/core/agent/rulebook/index";
import { laidOut } from "../../../../server/core/agent/rulebook/layout";
import type { Rule, RuleParse } from "../../../../server/core/agent/rulebook/rule";
import { inRepository } from "../../../../server/setup/support/layout.mjs";
import { readCase } from "./case-file";
import { ruleParse } from "./grammars";

let parse: RuleParse;
beforeAll(async () => {
  parse = await ruleParse();
});

/** What a rewrite makes of a text, laid out. */
function laid(before: string, after: string): string {
  return laidOut({ "k.cu": before }, { "k.cu": after }, parse)["k.cu"] ?? "";
}

const before = `__global__ void k(float* x, int n) {
    int i = threadIdx.x;
    x[i] = 1;
}
`;

test.each([
  {
    what: "a loop of another indentation",
    after: `__global__ void k(float* x, int n) {
    int i = threadIdx.x;
    for (int j = 0; j < n; ++j) {
      if (j > 2) {
        x[j] = 1;
      } else {
        x[j] = max(1,
                   2);
      }
    }
    x[i] = 1;
}
`,
    laidOutAs: `__global__ void k(float* x, int n) {
    int i = threadIdx.x;
    for (int j = 0; j < n; ++j) {
        if (j > 2) {
            x[j] = 1;
        } else {
            x[j] = max(1,
                       2);
        }
    }
    x[i] = 1;
}
`,
  },
  {
    what: "a loop around lines of the user",
    after: `__global__ void k(float* x, int n) {
    int i = threadIdx.x;
    for (; i < n; i += 32)
    {
    x[i] = 1;
    }
}
`,
    laidOutAs: `__global__ void k(float* x, int n) {
    int i = threadIdx.x;
    for (; i < n; i += 32)
    {
        x[i] = 1;
    }
}
`,
  },
  {
    what: "bodies without braces",
    after: `__global__ void k(float* x, int n) {
    int i = threadIdx.x;
    for (int j = 0; j < n; ++j)
      if (j > 2)
        x[j] = 2;
    x[i] = 1;
}
`,
    laidOutAs: `__global__ void k(float* x, int n) {
    int i = threadIdx.x;
    for (int j = 0; j < n; ++j)
        if (j > 2)
            x[j] = 2;
    x[i] = 1;
}
`,
  },
])("$what", ({ after, laidOutAs }) => {
  expect(laid(before, after)).toBe(laidOutAs);
});

test("what the user has indented in a way of their own stays", () => {
  const own = "__global__ void k(float* x) {\n    x[0] = 1;\n       x[1] = 2;\n}\n";
  expect(laid(own, own.replace("= 2", "= 3"))).toBe(own.replace("       x[1] = 2", "    x[1] = 3"));
  expect(laid(own, own.replace("= 1", "= 3"))).toBe(own.replace("= 1", "= 3"));
});

test("a file is indented as most of its lines are, whatever stands first in it", () => {
  const file = `struct Wind {
  float east;
};
struct Rain {
  float depth;
};

__global__ void k(float* x, int n)
{
    int i = threadIdx.x;
    float sum = 0;
    for (int j = 0; j < n; ++j) {
        sum += x[j];
    }
    x[i] = sum;
}
`;
  const turned = file
    .replace("threadIdx.x", "threadIdx.y")
    .replace("    x[i] = sum;", "  if (i < n) {\n  x[i] = sum;\n  }");
  const expected = file
    .replace("threadIdx.x", "threadIdx.y")
    .replace("    x[i] = sum;", "    if (i < n) {\n        x[i] = sum;\n    }");
  expect(laid(file, turned)).toBe(expected);
});

const folder = inRepository("test", "cases", "rulebook");
const cases = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".cu"))
  .sort();

const cudaRules = rules.filter((rule) => rule.dialects.includes("cuda"));

function doubled(text: string): string {
  return text.replace(/^ +/gm, (spaces) => spaces + spaces);
}

function withTabs(text: string): string {
  return text.replace(/^(?: {2})+/gm, (spaces) => "\t".repeat(spaces.length / 2));
}

/** What each of some rules makes of a case, laid out; rules that make nothing of it are left out. */
function proposals(
  name: string,
  asked: readonly Rule[],
  restyle: (text: string) => string,
): ReadonlyMap<Rule, readonly string[]> {
  const text = restyle(readFileSync(join(folder, name), "utf8"));
  const input = readCase(join(folder, name), text, parse);
  const made = asked.map((rule) => {
    const trees = rule.answer(input).flatMap((answer) => (answer.kind === "proposal" ? [answer.tree] : []));
    return [rule, trees.map((tree) => laidOut(input.tree, tree, parse)[input.file] ?? "")] as const;
  });
  return new Map(made.filter(([, texts]) => texts.length > 0));
}

test.each(cases.map((name, index) => ({ name, restyle: index % 2 === 0 ? doubled : withTabs })))(
  "$name: rewrites follow the indentation of their file",
  ({ name, restyle }) => {
    const made = proposals(name, cudaRules, (text) => text);
    // Which rules hold back does not hang on the layout, and most do: the case's own rule stands for them.
    const asked = cudaRules.filter((rule) => made.has(rule) || name.startsWith(`${rule.id}/`));
    const restyled = [...proposals(name, asked, restyle).values()].flat();
    expect(restyled.map(withoutTrails)).toEqual([...made.values()].flat().map(restyle).map(withoutTrails));
  },
);

/** Lines of nothing but spaces are no statements. */
function withoutTrails(text: string): string {
  return text.replace(/\n[ \t]+(?=\n)/g, "\n");
}
