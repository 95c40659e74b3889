import { t } from "../../base/localized";
import { meantIn } from "../../base/text";
import { parseKernelSpec } from "../spec-parse";
import type { Span } from "./marks";
import type { SpecMend } from "./mends";

/** A name in quotes that was likely meant to be another one. */
interface MisspeltName extends Span {
  readonly mend: SpecMend;
}

/** What can be mended by writing the name that was likely meant: of entries, and of types of data. */
export function misspeltNames(text: string): readonly MisspeltName[] {
  const parsed = parseKernelSpec(text);
  if (parsed.ok) return [];
  const lines = text.split("\n");
  return parsed.problem.flatMap(({ line, column, message }) => {
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    const name = /^"([^"\\]*)"/.exec(text.slice(start))?.[1];
    const meant = name === undefined ? undefined : meantIn(message, name);
    if (name === undefined || meant === undefined) return [];
    const change = { offset: start + 1, length: name.length, text: meant };
    return [
      { start, end: start + name.length + 2, mend: { title: t`Change it to "${meant}"`, changes: [change] } },
    ];
  });
}
