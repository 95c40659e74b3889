import { fail, type Outcome, succeed } from "../../base/outcome";
import { modelRules, normalizePath, PathRules } from "../../base/path-rules";
import { projectFileName } from "../build/project-file";

/**
 * Whether a path at which no file of the task lies may become one: it is written as it is resolved, matches
 * one of the patterns, may be shown, and is neither a folder of other files nor below one of them. The
 * problem is a sentence without its stop.
 */
export function mayBecomeFile(
  path: string,
  patterns: readonly string[],
  taken: readonly string[],
): Outcome<undefined, string> {
  if (normalizePath(path) !== path || path === "" || oddLetters.test(path))
    return fail(`${path} is no plain path from the top of the workspace`);
  if (!new PathRules(patterns).hides(path)) return fail(`${path} matches none of ${patterns.join(", ")}`);
  if (path === projectFileName || modelRules.hides(path)) return fail(`${path} may not be written`);
  const folded = folding(path);
  const near = taken.find((each) => {
    const other = folding(each);
    return other === folded || other.startsWith(`${folded}/`) || folded.startsWith(`${other}/`);
  });
  return near === undefined ? succeed(undefined) : fail(`${path} cannot stand beside ${near}`);
}

/** What no path of a source has, and what another system reads as something else. */
const oddLetters = /[\p{Cc}\\:*?"<>|]/u;

/** Systems that ignore case have one file for both. */
function folding(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
