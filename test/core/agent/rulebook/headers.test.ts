import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sourcesRead } from "../../../../server/core/agent/rulebook/cuda/spelling/sources-read";
import { rules } from "../../../../server/core/agent/rulebook/index";
import { readCase } from "./case-file";
import { ruleParse } from "./grammars";

const folder = join(__dirname, "../../../cases/rulebook-headers");
const names = readdirSync(folder).filter((name) => name.endsWith(".cu"));

/** What the rule of a case answers where its headers are read with it, told of the files as given. */
async function report(path: string): Promise<string> {
  const text = readFileSync(path, "utf8");
  const { rule, headers } = JSON.parse((text.split("\n")[0] ?? "").replace("//@case ", "")) as {
    readonly rule: string;
    readonly headers: readonly string[];
  };
  const given = readCase(path, text, await ruleParse());
  const included = headers.map(
    (name) => [`kernels/${name}`, readFileSync(join(folder, name), "utf8")] as const,
  );
  const { input, finished, told } = sourcesRead({
    ...given,
    tree: { ...given.tree, ...Object.fromEntries(included) },
  });
  const answers = rules.find(({ id }) => id === rule)?.answer(input) ?? [];
  const said = answers.map((answer) => {
    const whole = answer.kind === "proposal" ? finished(answer) : answer;
    if (whole.kind === "not") return `not, line ${told(whole).line}: ${whole.because}: ${whole.sentence}\n`;
    for (const [file, header] of included) expect(whole.tree[file]).toBe(header);
    return `${whole.hypothesis}\n---\n${whole.tree[given.file]}`;
  });
  return said.join("\n===\n");
}

test.each(names.map((name) => [name] as const))("%s", async (name) => {
  const path = join(folder, name);
  const expected = path.replace(/\.cu$/, ".out.txt");
  const actual = await report(path);
  if (process.env["UPDATE_CASES"] === "1") writeFileSync(expected, actual);
  expect(actual).toBe(readFileSync(expected, "utf8"));
});
