import { normalizePath } from "../../../core/base/path-rules";
import { embeddedSource } from "../../../core/language/cuda-in-python";
import type { FileReader } from "../../../core/ports/files";
import { movedPaths, type MovedPath } from "../../../core/workload/spec-text/moved-paths";

/** A file that is about to have another path; both relative to the workspace. */
export interface FileMove {
  readonly from: string;
  readonly to: string;
}

/** What becomes of a spec whose files move. */
export interface SpecChange {
  readonly specPath: string;
  /** Where it goes; the same where it stays, or where the editor moves it by itself. */
  readonly to: string;
  readonly text: string;
  readonly edits: readonly MovedPath[];
}

export interface SpecMoves {
  /**
   * The specs that name moved files, with the paths in them as they will be. A spec that is called after a
   * file goes with it, where all of its paths can be said from there and nothing stands in that place.
   * `unsaved`: the text of a spec that is open, which counts more than the one on disk.
   */
  follow(
    moves: readonly FileMove[],
    unsaved: (specPath: string) => string | undefined,
  ): Promise<readonly SpecChange[]>;
}

const suffix = ".kernel.json";

/** `SpecMoves.follow` over the specs below one root. */
export async function followMoves(
  files: FileReader,
  moves: readonly FileMove[],
  unsaved: (specPath: string) => string | undefined,
): Promise<readonly SpecChange[]> {
  const specs = await files.list("", [suffix]);
  const places = new Map(
    moves.flatMap(({ from, to }) => [
      [from, to],
      [embeddedSource(from), embeddedSource(to)],
    ]),
  );
  const moved = (path: string): string => places.get(path) ?? path;
  const changes: SpecChange[] = [];
  for (const specPath of specs) {
    const text = unsaved(specPath) ?? (await files.read(specPath));
    if (text === undefined) continue;
    const change = (to: string): SpecChange | undefined => {
      const edits = movedPaths(text, { fromFolder: folderOf(specPath), toFolder: folderOf(to), moved });
      return edits && { specPath, to, text, edits };
    };
    const own = places.get(specPath);
    if (own !== undefined) {
      // The editor moves this spec itself.
      const found = change(own);
      if (found && found.edits.length > 0) changes.push({ ...found, to: specPath });
      continue;
    }
    const wanted = nameAfter(specPath, moves);
    const found = (specs.includes(wanted) ? undefined : change(wanted)) ?? change(specPath);
    if (found && (found.edits.length > 0 || found.to !== specPath)) changes.push(found);
  }
  return changes;
}

/** `a.cu.kernel.json`, `a.cu.scale.kernel.json` and `a.kernel.json` are called after `a.cu` beside them. */
function nameAfter(specPath: string, moves: readonly FileMove[]): string {
  for (const { from, to } of moves) {
    const rest = specPath.startsWith(`${from}.`) ? specPath.slice(from.length) : undefined;
    if (rest !== undefined) return to + rest;
    if (specPath === `${withoutEnding(from)}${suffix}`) return `${withoutEnding(to)}${suffix}`;
  }
  return specPath;
}

function withoutEnding(path: string): string {
  return path.replace(/\.[^./]*$/, "");
}

function folderOf(path: string): string {
  return normalizePath(`${path}/..`) ?? "";
}
