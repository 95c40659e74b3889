import { readFile, readdir, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { OperationalError } from "../../core/base/operational-error";
import { decodedText } from "../../core/base/text";
import type { PathRules } from "../../core/base/path-rules";
import type { FileMaker, FileReader } from "../../core/ports/files";
import { ignoredFolders, searchLimits } from "./searched-places";

/**
 * Reads text files below one folder. Links are resolved first: what leads out of the folder is refused,
 * whatever its name says. What the rules hide, by the name that was asked for or by the one behind the links,
 * is neither read nor listed.
 */
export class WorkspaceFiles implements FileReader, FileMaker {
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
    const found: string[] = [];
    const root = await this.resolve(folder);
    const pending: { readonly path: string; readonly depth: number }[] =
      root === undefined ? [] : [{ path: folder, depth: 0 }];
    for (let visited = 0; visited < searchLimits.folders && found.length < searchLimits.files; visited += 1) {
      const current = pending.shift();
      if (current === undefined || root === undefined) break;
      // Links are no folders here, so what is found below the root lies below the root.
      const entries = await readdir(join(root, relative(folder, current.path)), {
        withFileTypes: true,
      }).catch(() => []);
      for (const entry of entries) {
        const path = current.path === "" ? entry.name : `${current.path}/${entry.name}`;
        if (this.rules.hides(path)) continue;
        if (entry.isDirectory() && !ignoredFolders.has(entry.name) && current.depth < searchLimits.depth)
          pending.push({ path, depth: current.depth + 1 });
        if (entry.isFile() && suffixes.some((suffix) => entry.name.endsWith(suffix))) found.push(path);
      }
    }
    return found.sort();
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
