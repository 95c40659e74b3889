import { last } from "../../core/base/known";
import { readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseKernelSpec } from "../../core/workload/spec-parse";
import { pathOfUri, uriOfPath } from "./uris";

const suffix = ".kernel.json";

/**
 * Which kernels have a spec file in the folder of their source. Read when a document is opened or saved, so
 * that a lens costs nothing.
 */
export class SpecIndex {
  /** URI of the source → kernel name (without namespaces) → path of the spec. */
  private readonly known = new Map<string, ReadonlyMap<string, string>>();

  /** The spec's URI; null when the folder has none for this kernel, undefined when that is not known yet. */
  find(sourceUri: string, kernel: string): string | null | undefined {
    const specs = this.known.get(sourceUri);
    if (specs === undefined) return undefined;
    const path = specs.get(kernel);
    return path === undefined ? null : uriOfPath(path);
  }

  /** Reads the spec files beside a source. True when that changed what is known. */
  async refresh(sourceUri: string): Promise<boolean> {
    return this.refreshAll([sourceUri]);
  }

  /** The same for several sources; a folder is read once. */
  async refreshAll(sourceUris: readonly string[]): Promise<boolean> {
    const sources = sourceUris.flatMap((uri) => {
      const path = pathOfUri(uri);
      return path === undefined ? [] : [{ uri, path, folder: dirname(path) }];
    });
    const names = [...new Set(sources.map(({ folder }) => folder))];
    // All at once: one after the other each would wait for the disk.
    const folders = new Map(
      await Promise.all(names.map(async (folder) => [folder, await specsIn(folder)] as const)),
    );
    let changed = false;
    for (const { uri, path, folder } of sources) {
      const found = (folders.get(folder) ?? []).filter(({ source }) => source === path);
      changed = this.learn(uri, new Map(found.map(({ kernel, spec }) => [kernel, spec]))) || changed;
    }
    return changed;
  }

  private learn(sourceUri: string, found: ReadonlyMap<string, string>): boolean {
    const before = this.known.get(sourceUri);
    this.known.set(sourceUri, found);
    return before === undefined || JSON.stringify([...found]) !== JSON.stringify([...before]);
  }

  forget(sourceUri: string): void {
    this.known.delete(sourceUri);
  }
}

/** A spec file, and the kernel and file that it is for; absolute paths. */
interface FoundSpec {
  readonly spec: string;
  readonly source: string;
  readonly kernel: string;
}

async function specsIn(folder: string): Promise<readonly FoundSpec[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const found: FoundSpec[] = [];
  for (const name of names.filter((candidate) => candidate.endsWith(suffix))) {
    const path = join(folder, name);
    const spec = parseKernelSpec(await readFile(path, "utf8").catch(() => ""));
    if (spec.ok)
      found.push({
        spec: path,
        source: join(folder, ...spec.value.file.split("/")),
        kernel: last(spec.value.kernel.split("::")),
      });
  }
  return found;
}
