import * as z from "zod/mini";
import { type Dialect, dialects } from "../../workload/spec";

/**
 * A rewrite that the judge verified, kept beyond its session. Everything but `idea` comes from verdicts;
 * `idea` is how its proposer put it.
 */
export interface Skill {
  /** Also the name of its file. */
  readonly id: string;
  readonly dialect: Dialect;
  readonly target: string;
  /** What bound the kernel before and after. */
  readonly before: string;
  readonly after: string;
  /** By what factor the bound fell. */
  readonly gain: number;
  /** The kernel and the day. */
  readonly where: string;
  readonly idea: string;
  /** What was counted otherwise: `load sectors 64 → 32`. */
  readonly counted: readonly string[];
  /** The difference of the files, in lines with `-` and `+`. */
  readonly rewrite: string;
  /** Sessions that a model was told it in. */
  readonly told: number;
  /** Candidates of such sessions whose hypothesis named it, and those of them that became the best. */
  readonly used: number;
  readonly helped: number;
}

const count = z.pipe(z.pipe(z.string(), z.transform(Number)), z.int().check(z.nonnegative()));

const headShape = z.object({
  id: z.string().check(z.regex(/^[a-z0-9-]{1,80}$/)),
  dialect: z.enum(dialects),
  target: z.string(),
  before: z.string(),
  after: z.string(),
  gain: z.pipe(z.pipe(z.string(), z.transform(Number)), z.number().check(z.positive())),
  where: z.string(),
  // Files of before it was counted lack it.
  told: z.optional(count),
  used: count,
  helped: count,
});

/** How much a skill is worth telling: what it gained, by how often it helped where it was used. */
export function valueOf({ gain, used, helped }: Skill): number {
  return (Math.log(gain) * (helped + 1)) / (used + 2);
}

/** The skill as the text of its file: Markdown that people can read, share and delete. */
export function writeSkill(skill: Skill): string {
  const { idea, counted, rewrite, ...head } = skill;
  const fields = Object.entries(head).map(([name, value]) => `${name}: ${String(value)}`);
  return [
    ...["---", ...fields, "---", ""],
    ...["Idea, in the words of its proposer:", "", `> ${idea}`, ""],
    ...["Counted:", "", ...counted.map((line) => `- ${line}`), ""],
    ...["```diff", rewrite, "```", ""],
  ].join("\n");
}

/** The skill of a file; undefined for a text that is none. */
export function readSkill(text: string): Skill | undefined {
  const [, head = "", body = ""] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text.replaceAll("\r\n", "\n")) ?? [];
  const pairs = head.split("\n").map((line): [string, string] => {
    const at = line.indexOf(": ");
    return [line.slice(0, Math.max(0, at)), line.slice(at + 2)];
  });
  const read = headShape.safeParse(Object.fromEntries(pairs));
  const rewrite = /```diff\n([^]*?)\n```/.exec(body)?.[1];
  if (!read.success || rewrite === undefined) return undefined;
  return {
    ...read.data,
    told: read.data.told ?? 0,
    idea: /^> (.*)$/m.exec(body)?.[1] ?? "",
    counted: [...body.slice(0, body.indexOf("```")).matchAll(/^- (.*)$/gm)].map(([, line = ""]) => line),
    rewrite,
  };
}
