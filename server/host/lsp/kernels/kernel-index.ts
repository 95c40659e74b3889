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

/** A file that may hold kernels. */
interface MarkedFile {
  readonly uri: string;
  /** Workspace-relative. */
  readonly path: string;
  readonly text: string;
  readonly dialect: Dialect;
  readonly place: FolderServices & Pick<IndexedKernel, "workspace">;
}

/** A word that stands in every file with kernels of a dialect. */
const marks: readonly (readonly [string, Dialect])[] = [
  ["__global__", "cuda"],
  ["jit", "triton"],
];

/** Milliseconds of parsing after which what the user types is answered first. */
const longestTurn = 8;

function byFile(a: IndexedKernel, b: IndexedKernel): number {
  if (a.folder !== b.folder) return a.folder < b.folder ? -1 : 1;
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

  /**
   * In the order of folders, files and lines. `read`: is told the files that may hold kernels before they are
   * parsed.
   */
  async all(read: (uris: readonly string[]) => void = () => undefined): Promise<readonly IndexedKernel[]> {
    const found: IndexedKernel[] = [];
    const files = await this.files();
    read(files.map(({ uri }) => uri));
    let resumed = performance.now();
    for (const { uri, path, text, dialect, place } of files) {
      if (performance.now() - resumed > longestTurn) {
        await new Promise(setImmediate);
        resumed = performance.now();
      }
      const digest = digestOf(text);
      const kernels = this.kernelsOf(uri, { text, digest, dialect });
      found.push(...kernels.map((kernel) => ({ ...place, uri, file: path, kernel, digest })));
    }
    return found.sort(byFile);
  }

  /** Those with a word that stands in every file with kernels. */
  private async files(): Promise<readonly MarkedFile[]> {
    const places = await this.workspaces.all();
    const sought = places.flatMap((place) =>
      marks.map(async ([word, dialect]) => {
        const files = await place.services.names.mentioning(word, dialect);
        return files
          .map((file) => ({ ...file, dialect, place, uri: this.workspaces.uriOf(place.folder, file.path) }))
          .filter(({ uri }) => places.length < 2 || this.workspaces.locate(uri)?.folder === place.folder);
      }),
    );
    return (await Promise.all(sought)).flat();
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
