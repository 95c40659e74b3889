import { readFile, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { OperationalError } from "../../core/base/operational-error";
import { decodedText } from "../../core/base/text";
import type { PathRules } from "../../core/base/path-rules";
import type { FileMaker, FileReader } from "../../core/ports/files";
import { type ListedFolder, listFolder } from "./search/listed-folder";
import { searchLimits } from "./searched-places";

/** For how long a walk through folders keeps others waiting, in milliseconds. */
const longestTurn = 8;

/**
 * Reads text files below one folder. Links are resolved first: what leads out of the folder is refused,
 * whatever its name says. What the rules hide, by the name that was asked for or by the one behind the links,
 * is neither read nor listed.
 */
export class WorkspaceFiles implements FileReader, FileMaker {
  /** The folders as the last list found them: one that has not changed since is not read again. */
  private readonly known = new Map<string, ListedFolder>();

  constructor(
    private readonly root: string,
    private readonly rules: PathRules,
  ) {}

  async read(path: string): Promise<string | undefined> {
    const resolved = await this.resolve(path);
    if (resolved === undefined) return undefined;
    try {
      const bytes = await readFile(resolved);
      if (bytes.length > searchLimits.bytes) {
        throw new OperationalError("file-unreadable", {
          forUser: `${path} has ${bytes.length} bytes; a source file of at most ${searchLimits.bytes} is expected.`,
        });
      }
      const text = decodedText(bytes);
      if (text !== undefined) return text;
    } catch (thrown) {
      if (thrown instanceof OperationalError) throw thrown;
      if (thrown instanceof Error && "code" in thrown && thrown.code === "EISDIR")
        throw new OperationalError("file-unreadable", {
          forUser: `${path} is a folder: name a kernel's file in it.`,
          cause: thrown,
        });
      throw new OperationalError("file-unreadable", { forUser: `${path} cannot be read`, cause: thrown });
    }
    throw new OperationalError("file-unreadable", {
      forUser: `${path} is not in UTF-8, which compilers read: save it with that encoding.`,
    });
  }

  async create(path: string, text: string): Promise<void> {
    const folder = await this.resolve(dirname(path));
    if (folder === undefined || this.rules.hides(path))
      throw new OperationalError("disk-failed", {
        forUser: `${path} cannot be made: its folder is not there`,
      });
    try {
      await writeFile(join(folder, basename(path)), text, { flag: "wx" });
    } catch (cause) {
      throw new OperationalError("disk-failed", { forUser: `${path} cannot be made`, cause });
    }
  }

  async list(folder: string, suffixes: readonly string[]): Promise<readonly string[]> {
    const resolved = await this.resolve(folder);
    if (resolved === undefined) return [];
    const root = await realpath(this.root);
    const top = relative(root, resolved).split(sep).join("/");
    const found: string[] = [];
    const pending = [{ path: top, depth: 0 }];
    let pausedAt = performance.now();
    for (
      let visited = 0;
      visited < pending.length && visited < searchLimits.folders && found.length < searchLimits.files;
      visited += 1
    ) {
      const current = pending[visited];
      const listed = current && this.listed(root, current.path);
      if (current === undefined || listed === undefined) continue;
      if (current.depth < searchLimits.depth)
        for (const path of listed.folders) pending.push({ path, depth: current.depth + 1 });
      for (const name of listed.names) {
        if (suffixes.some((suffix) => name.endsWith(suffix)) && !this.rules.hidesEntry(current.path, name))
          found.push(listed.path + name);
      }
      if (performance.now() - pausedAt < longestTurn) continue;
      await new Promise(setImmediate);
      pausedAt = performance.now();
    }
    return found.map((path) => asAsked(path, { top, folder })).sort();
  }

  private listed(root: string, path: string): ListedFolder | undefined {
    const known = this.known.get(path);
    const listed = listFolder({ root, path, rules: this.rules, known, keeps: () => true });
    if (listed === undefined) this.known.delete(path);
    else if (listed !== known) this.known.set(path, listed);
    return listed;
  }

  private async resolve(path: string): Promise<string | undefined> {
    const root = await realpath(this.root);
    const wanted = join(root, ...path.split("/"));
    const resolved = await realpath(wanted).catch(() => undefined);
    const inside = relative(root, resolved ?? wanted);
    if (isAbsolute(path) || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
      throw new OperationalError("path-outside-workspace", {
        forUser: `${path} leads out of the workspace folder and is not read.`,
      });
    }
    this.refuseHidden(path, inside.split(sep).join("/"));
    return resolved;
  }

  private refuseHidden(asked: string, resolved: string): void {
    const pattern = this.rules.hiding(asked) ?? this.rules.hiding(resolved);
    if (pattern === undefined) return;
    throw new OperationalError("path-excluded", {
      forUser: `${asked} is not read: "${pattern}" excludes it (kernelwright.exclude, or the product's own list of files that may hold keys).`,
    });
  }
}

/** A path relative to the root, with a folder's name as it was asked for in place of where links lead. */
function asAsked(path: string, { top, folder }: { readonly top: string; readonly folder: string }): string {
  const below = top === "" ? path : path.slice(top.length + 1);
  return folder === "" ? below : `${folder}/${below}`;
}
