import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import * as z from "zod/mini";
import { objectOf, readJson } from "../../../core/base/shape";
import { executedName } from "../../../core/timing/gpu-model";
import { makePrivateFolder } from "../../process/private-folder";
import { linkedFiles } from "./build-sources";

/** Everything but the sources that decides what a compiler makes. */
export interface BuildIdentity {
  readonly nvcc: string;
  /** The runtime library, whose path names its own version and the compiler's. */
  readonly library: string;
  /** Version of our libraries and of their headers. */
  readonly libraries: string;
  readonly file: string;
  readonly folder: string;
  readonly architecture: string;
  readonly compileOptions: readonly string[];
}

interface SourceDigest {
  readonly path: string;
  readonly sha256: string;
}

const sourcesShape = z.array(objectOf<SourceDigest>()({ path: z.string(), sha256: z.string() }));

/**
 * Names in an entry's folder, and in the folder that a program is built in; the compiler's lists of files end
 * in the second.
 */
export const programName = "program";
export const dependenciesName = "dependencies";
const sourcesName = "sources.json";
const keptPrograms = 24;
/** File systems stamp changes with a clock that lags behind the machine's by a few milliseconds. */
const clockLagMilliseconds = 100;
/** Headers of the system and of the toolkit change with their packages, not with the user's work. */
export const systemFile = /^\/usr\//;

/**
 * Executables of programs that were compiled before. An entry is good as long as every file of the user's
 * that went into it is what it was. A damaged or stale entry counts as none, and a disk that takes no entry
 * costs only the next compilation.
 */
export class ProgramCache {
  /** `folder`: of the product's caches. */
  constructor(private readonly folder: string) {}

  /** Copies a good entry's executable into `output`. False when there is none. */
  async take(identity: BuildIdentity, output: string): Promise<boolean> {
    const entry = this.entry(identity);
    try {
      const sources = readJson(sourcesShape, await readFile(join(entry, sourcesName), "utf8"));
      if (sources === undefined) return false;
      for (const { path, sha256 } of sources) if ((await digestOf(path)) !== sha256) return false;
      await copyFile(join(entry, programName), join(output, programName));
      await utimes(entry, new Date(), new Date());
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Keeps what has been built in `output`: the executable and the compiler's list of files. `began`: when the
   * compiler was started, as Date.now() has it. A source that was saved since then may not be the one that
   * the compiler read, and nothing is kept.
   */
  async keep(identity: BuildIdentity, output: string, began: number): Promise<void> {
    try {
      const parent = join(this.folder, "programs");
      await mkdir(parent, { recursive: true });
      const included = await includedFiles(output);
      const objects = linkedFiles(identity.compileOptions, (path) =>
        existsSync(resolve(identity.folder, path)),
      );
      const paths = [...new Set([...included, ...objects])]
        .map((path) => resolve(identity.folder, path))
        .filter((path) => !systemFile.test(path));
      const sources: SourceDigest[] = await Promise.all(
        paths.map(async (path) => ({ path, sha256: await digestOf(path) })),
      );
      const saved = await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs));
      if (saved.some((time) => time >= began - clockLagMilliseconds)) return;
      await this.store(parent, this.entry(identity), { program: join(output, programName), sources });
      await this.forgetOldest(parent);
    } catch (thrown) {
      // The program runs from its own folder; only a broken promise of this code itself is worth a noise.
      if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
    }
  }

  /** Another run may put the same entry there meanwhile: then one of the two stays. */
  private async store(
    parent: string,
    entry: string,
    { program, sources }: { readonly program: string; readonly sources: readonly SourceDigest[] },
  ): Promise<void> {
    const fresh = await makePrivateFolder(join(parent, "new-"));
    try {
      await copyFile(program, join(fresh.path, programName));
      await writeFile(join(fresh.path, sourcesName), JSON.stringify(sources));
      await rm(entry, { recursive: true, force: true });
      await rename(fresh.path, entry);
    } finally {
      await fresh.remove();
    }
  }

  private entry(identity: BuildIdentity): string {
    const { nvcc, library, libraries, file, folder, architecture, compileOptions } = identity;
    // The modelled GPU itself is asked for when the program runs.
    const code = executedName(architecture);
    const key = createHash("sha256")
      .update(JSON.stringify([nvcc, library, libraries, file, folder, { code }, compileOptions]))
      .digest("hex");
    return join(this.folder, "programs", key.slice(0, 32));
  }

  private async forgetOldest(parent: string): Promise<void> {
    const entries = await Promise.all(
      (await readdir(parent)).map(async (name) => ({
        path: join(parent, name),
        used: (await stat(join(parent, name))).mtimeMs,
      })),
    );
    const oldest = entries.sort((a, b) => b.used - a.used).slice(keptPrograms);
    await Promise.all(oldest.map(({ path }) => rm(path, { recursive: true, force: true })));
  }
}

async function digestOf(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}

/**
 * The files that the sources of a program include, as the compiler listed them in `output`, without what was
 * written there for it.
 */
export async function includedFiles(output: string): Promise<readonly string[]> {
  const lists = (await readdir(output)).filter((name) => name.endsWith(dependenciesName));
  const rules = await Promise.all(lists.map((name) => readFile(join(output, name), "utf8")));
  return rules.flatMap(dependenciesOf).filter((path) => !path.startsWith(output + sep));
}

/** The prerequisites of a rule as make reads it: names between spaces, with escaped spaces and line ends. */
export function dependenciesOf(rule: string): readonly string[] {
  const names =
    rule
      .slice(rule.indexOf(" : ") + 3)
      .replace(/\\\n/g, " ")
      .match(/(?:\\.|[^\s\\])+/g) ?? [];
  return names.map((name) => name.replace(/\\(.)/g, "$1"));
}
