import type { SyntaxCheck } from "../../core/agent/dependencies";
import type { RuleParse } from "../../core/agent/rulebook/rule";
import { parseSource, withSource, type SourceFile } from "../../core/language/source-file";
import { dialectOf } from "../../core/workload/spec";
import { scanTricks } from "../../core/language/tricks/scan-tricks";
import { syntaxErrors } from "../../core/language/syntax-errors";
import type { Grammars } from "../../core/language/tree";

/**
 * Trees that rules may still hold nodes of; older ones are freed, since they live outside the garbage
 * collector's reach.
 */
const keptTrees = 256;

export function createSyntaxCheck(grammars: Grammars): SyntaxCheck {
  return (path, text, before) =>
    withSource(grammars, path, text, (source) => {
      const errors = syntaxErrors(source, path);
      if (before === undefined || errors.length > 0) return errors;
      return withSource(grammars, path, before, (original) => scanTricks(path, source, original)) ?? [];
    }) ?? [];
}

/** Parses for rules; the newest trees stay alive, keyed by their text. */
export function createRuleParse(grammars: Grammars): RuleParse {
  const kept = new Map<string, SourceFile>();
  return (path, text) => {
    const dialect = dialectOf(path);
    if (dialect === undefined) return undefined;
    const key = `${dialect}\n${text}`;
    const source = kept.get(key) ?? parseSource(grammars, dialect, text);
    kept.delete(key);
    kept.set(key, source);
    if (kept.size > keptTrees) {
      const [oldest] = kept;
      oldest?.[1].tree.dispose();
      if (oldest) kept.delete(oldest[0]);
    }
    return source.tree.root;
  };
}
