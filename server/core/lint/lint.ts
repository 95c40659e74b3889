import * as z from "zod/mini";
import { known } from "../base/known";
import { movedDown, type TextRange } from "../base/text";
import table from "./lints.json";

/** What one lint is, as data; what it looks for is code. */
const entryShape = z.strictObject({
  id: z.string().check(z.regex(/^[a-z-]+$/)),
  dialect: z.enum(["cuda", "triton"]),
  title: z.string(),
  severity: z.enum(["error", "warning", "information", "hint"]),
  /** Blanks in braces, which the finding fills. */
  message: z.string().check(z.regex(/\.$/)),
  /** Code that it is about, for the docs. */
  example: z.string(),
});

export type LintEntry = z.infer<typeof entryShape>;

const entries = z.strictObject({ lints: z.array(entryShape) }).parse(table).lints;

/** Every lint, in the order of the table. */
export function lintEntries(): readonly LintEntry[] {
  return entries;
}

/** A text that takes the place of a range; of an empty one, is put there. */
interface LintEdit {
  readonly range: TextRange;
  readonly text: string;
}

/** What can be done at once. */
export interface LintFix {
  readonly title: string;
  readonly edits: readonly LintEdit[];
}

/** A mistake at a place of a source. */
export interface LintFinding {
  readonly id: string;
  readonly range: TextRange;
  /** What fills the blanks of the message; `line` is a line of the source, from 1. */
  readonly blanks: Readonly<Record<string, string | number>>;
  readonly fix?: LintFix;
}

/** A finding in a part of a text that is so many lines further down now. */
export function findingMoved(finding: LintFinding, lines: number): LintFinding {
  const { range, blanks, fix } = finding;
  if (lines === 0) return finding;
  return {
    ...finding,
    range: movedDown(range, lines),
    blanks: typeof blanks["line"] === "number" ? { ...blanks, line: blanks["line"] + lines } : blanks,
    ...(fix && {
      fix: {
        ...fix,
        edits: fix.edits.map((edit) => ({ ...edit, range: movedDown(edit.range, lines) })),
      },
    }),
  };
}

/** The entry of a finding; a finding without one is a bug. */
export function entryOfFinding({ id }: LintFinding): LintEntry {
  return known(
    entries.find((entry) => entry.id === id),
    `the lint ${id} in lints.json`,
  );
}

/** The sentence of a finding. A blank that nothing fills is a bug. */
export function lintMessage(finding: LintFinding): string {
  return entryOfFinding(finding).message.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(known(finding.blanks[name], `{${name}} of the lint ${finding.id}`)),
  );
}
