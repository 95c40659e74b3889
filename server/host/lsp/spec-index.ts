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
    const path = pathOfUri(sourceUri);
    if (path === undefined) return false;
    const folder = dirname(path);
    const names = await readdir(folder).catch((): string[] => []);
    const found = new Map<string, string>();
    for (const name of names.filter((candidate) => candidate.endsWith(suffix))) {
      const spec = parseKernelSpec(await readFile(join(folder, name), "utf8").catch(() => ""));
      if (spec.ok && join(folder, ...spec.value.file.split("/")) === path)
        found.set(last(spec.value.kernel.split("::")), join(folder, name));
    }
    const before = JSON.stringify([...(this.known.get(sourceUri) ?? [])]);
    const first = !this.known.has(sourceUri);
    this.known.set(sourceUri, found);
    return first || before !== JSON.stringify([...found]);
  }

  forget(sourceUri: string): void {
    this.known.delete(sourceUri);
  }
}
