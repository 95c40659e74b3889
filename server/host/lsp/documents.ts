import { createHash } from "node:crypto";
import type { Position } from "../../core/base/text";
import { type TextDocumentContentChangeEvent, TextDocument } from "vscode-languageserver-textdocument";
import { type Dialect, dialectOf } from "../../core/workload/spec";
import type { KernelFacts } from "../../core/language/facts";
import { cudaInPython } from "../../core/language/cuda-in-python";
import { type ColourMemory, colourMemory } from "../../core/language/names/coloured-names";
import {
  findKernels,
  parseSource,
  sourceMemory,
  type SourceFile,
  type SourceMemory,
} from "../../core/language/source-file";
import { type LintMemory, lintMemory } from "../../core/lint/run-lints";
import type { Grammars } from "../../core/language/tree";
import { holdsCuda, isPlainCpp } from "../../protocol/cpp-files";
import { MovedFiles } from "./sessions/moved-files";
import { pathOfUri } from "./uris";

/** sha256 of a text, 64 lower-case hex digits: what facts are bound to. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

interface DocumentMemory extends SourceMemory, LintMemory {
  readonly colours: ColourMemory;
}

/**
 * One open document. The tree follows the text lazily and incrementally: it is made when somebody asks for
 * kernels.
 */
export class OpenDocument {
  /** What is known of parts that do not change. */
  readonly memory: DocumentMemory = { ...sourceMemory(), ...lintMemory(), colours: colourMemory() };
  private source: SourceFile | undefined;
  private kernels: readonly KernelFacts[] | undefined;
  private parsedVersion = -1;
  private looked = { version: Number.NaN, holdsCuda: false };

  constructor(
    private document: TextDocument,
    private readonly grammars: Grammars,
    /** Of a file whose name does not tell: a header of a CUDA project. */
    private readonly readAs?: Dialect,
  ) {}

  get uri(): string {
    return this.document.uri;
  }

  get version(): number {
    return this.document.version;
  }

  /** Undefined for what holds no kernels: C++ without a word of CUDA among it. */
  get dialect(): Dialect | undefined {
    if (this.readAs !== undefined) return this.readAs;
    const path = pathOfUri(this.uri) ?? this.uri;
    if (!isPlainCpp(path)) return dialectOf(path);
    const { version } = this;
    if (this.looked.version !== version) this.looked = { version, holdsCuda: holdsCuda(this.text) };
    return this.looked.holdsCuda ? dialectOf(path) : undefined;
  }

  get text(): string {
    return this.document.getText();
  }

  /** UTF-16 code units from the begin of the text. */
  offsetAt(position: Position): number {
    return this.document.offsetAt(position);
  }

  positionAt(offset: number): Position {
    return this.document.positionAt(offset);
  }

  update(changes: TextDocumentContentChangeEvent[], version: number): void {
    this.document = TextDocument.update(this.document, changes, version);
  }

  /**
   * The parsed text; undefined for files that hold no kernels. It is valid until the next change of the
   * document.
   */
  parsed(): SourceFile | undefined {
    const { dialect } = this;
    if (dialect === undefined) return undefined;
    if (this.source === undefined || this.parsedVersion !== this.version) {
      this.source = parseSource(this.grammars, dialect, this.text, this.source);
      this.parsedVersion = this.version;
      this.kernels = undefined;
    }
    return this.source;
  }

  /** Kernels of the present text. */
  findKernels(): readonly KernelFacts[] {
    const source = this.parsed();
    if (source === undefined) return [];
    this.kernels ??= findKernels(source, this.memory);
    return this.kernels;
  }

  /** Kernels in texts of a Python file (`load_inline`), at their places in it. */
  embeddedKernels(): readonly KernelFacts[] {
    const code = this.dialect === "triton" ? cudaInPython(this.text, "") : undefined;
    if (code === undefined) return [];
    const source = parseSource(this.grammars, "cuda", code);
    const kernels = findKernels(source);
    source.tree.dispose();
    return kernels;
  }

  /** Kernels of the text's own dialect and those in texts of it. */
  allKernels(): readonly KernelFacts[] {
    return [...this.findKernels(), ...this.embeddedKernels()];
  }

  dispose(): void {
    this.source?.tree.dispose();
    this.source = undefined;
    this.parsedVersion = -1;
  }
}

interface DocumentText {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
}

/** The documents that the editor has open. */
export class DocumentStore {
  private readonly open = new Map<string, OpenDocument>();
  readonly moved = new MovedFiles();

  constructor(private readonly grammars: Grammars) {}

  /**
   * A document that the editor does not have open; the caller disposes it. `readAs`: whatever its name is.
   */
  create(item: DocumentText, readAs?: Dialect): OpenDocument {
    const document = TextDocument.create(item.uri, item.languageId, item.version, item.text);
    return new OpenDocument(document, this.grammars, readAs);
  }

  add(item: DocumentText): OpenDocument {
    this.remove(item.uri);
    const document = this.create(item);
    this.open.set(item.uri, document);
    return document;
  }

  get(uri: string): OpenDocument | undefined {
    return this.open.get(uri);
  }

  all(): readonly OpenDocument[] {
    return [...this.open.values()];
  }

  remove(uri: string): void {
    this.open.get(uri)?.dispose();
    this.open.delete(uri);
  }
}
