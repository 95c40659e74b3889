import { type KernelHead, kernelHeads } from "../../../core/language/cuda/kernel-heads";
import type { Dialect } from "../../../core/workload/spec";
import { digestOf, type DocumentStore } from "../documents";
import type { FolderServices, Workspaces } from "../workspaces";

/** A kernel as its file is on disk. */
export interface IndexedKernel extends FolderServices {
  readonly uri: string;
  /** What sessions name the folder by. */
  readonly workspace: string;
  /** Workspace-relative. */
  readonly file: string;
  readonly kernel: KernelHead;
  /** Of the file's text. */
  readonly digest: string;
}

/** A word that stands in every file with kernels of a dialect. */
const marks: readonly (readonly [string, Dialect])[] = [
  ["__global__", "cuda"],
  ["jit", "triton"],
];

/** Milliseconds of parsing after which what the user types is answered first. */
const longestTurn = 8;

function byFile(a: IndexedKernel, b: IndexedKernel): number {
  if (a.file === b.file) return 0;
  return a.file < b.file ? -1 : 1;
}

/**
 * The kernels of all files of the workspace. A file is read again only when its text is another, and parsed
 * only where the heads of its kernels do not tell.
 */
export class KernelIndex {
  private readonly known = new Map<
    string,
    { readonly digest: string; readonly kernels: readonly KernelHead[] }
  >();

  constructor(
    private readonly workspaces: Workspaces,
    private readonly documents: DocumentStore,
  ) {}

  /** In the order of files and lines. */
  async all(): Promise<readonly IndexedKernel[]> {
    const found: IndexedKernel[] = [];
    let resumed = performance.now();
    for (const place of await this.workspaces.all()) {
      const { names } = place.services;
      const sought = marks.map(async ([word, dialect]) => ({
        dialect,
        files: await names.mentioning(word, dialect),
      }));
      for (const { dialect, files } of await Promise.all(sought)) {
        for (const { path, text } of files) {
          if (performance.now() - resumed > longestTurn) {
            await new Promise(setImmediate);
            resumed = performance.now();
          }
          const uri = this.workspaces.uriOf(place.folder, path);
          const digest = digestOf(text);
          const kernels = this.kernelsOf(uri, { text, digest, dialect });
          found.push(...kernels.map((kernel) => ({ ...place, uri, file: path, kernel, digest })));
        }
      }
    }
    return found.sort(byFile);
  }

  private kernelsOf(
    uri: string,
    { text, digest, dialect }: { readonly text: string; readonly digest: string; readonly dialect: Dialect },
  ): readonly KernelHead[] {
    const known = this.known.get(uri);
    if (known?.digest === digest) return known.kernels;
    const heads = dialect === "cuda" ? kernelHeads(text) : undefined;
    if (heads !== undefined) {
      this.known.set(uri, { digest, kernels: heads });
      return heads;
    }
    const document = this.documents.create({ uri, languageId: "", version: 0, text }, dialect);
    try {
      const kernels = document.findKernels();
      this.known.set(uri, { digest, kernels });
      return kernels;
    } finally {
      document.dispose();
    }
  }
}
