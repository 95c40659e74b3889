import { type Diagnostic, DiagnosticSeverity, TextDocumentContentChangeEvent } from "vscode-languageserver";
import { movedBy } from "../../core/base/text";

/**
 * Who found something: each source replaces only its own findings. A compile of one document may find faults
 * in its headers as well.
 */
type DiagnosticSource = `compiler ${string}` | CheckSource | ProgramSource | "spec" | "lint";

/** The check of one kernel of a document. */
type CheckSource = `check ${string}`;

/** What was done with a program. */
type ProgramSource = `program ${string}`;

/** Who finds what a program's run shows: each way to run it finds other things. */
export function programOf(uri: string, mode: "run" | "sanitize" | "profile"): ProgramSource {
  return `program ${uri} ${mode}`;
}

/** Who finds why a program does not compile. */
export function buildOf(uri: string): ProgramSource {
  return `program ${uri} build`;
}

/** Who finds what the check of a kernel shows. */
export function checkOf(uri: string, kernel: string): CheckSource {
  return `check ${uri} ${kernel}`;
}

/** Diagnostics of each document by source, published as one list whenever one of them changes. */
export class DiagnosticBoard {
  private readonly found = new Map<string, Map<DiagnosticSource, readonly Diagnostic[]>>();

  constructor(private readonly publish: (uri: string, diagnostics: Diagnostic[]) => void) {}

  put(uri: string, source: DiagnosticSource, diagnostics: readonly Diagnostic[]): void {
    const sources = this.found.get(uri) ?? new Map<DiagnosticSource, readonly Diagnostic[]>();
    if (diagnostics.length === 0 && (sources.get(source) ?? []).length === 0 && sources.has(source)) return;
    sources.set(source, diagnostics);
    this.found.set(uri, sources);
    this.publish(uri, onceEach([...sources.values()].flat()));
  }

  /** Replaces everything that a source found, in whichever documents that was. */
  putAll(source: DiagnosticSource, found: ReadonlyMap<string, readonly Diagnostic[]>): void {
    const before = [...this.found].filter(([, sources]) => sources.has(source)).map(([uri]) => uri);
    for (const uri of new Set([...before, ...found.keys()])) this.put(uri, source, found.get(uri) ?? []);
  }

  /** A document was edited: what was found in it stays with its text, until somebody looks at it anew. */
  follow(uri: string, changes: readonly TextDocumentContentChangeEvent[]): void {
    const sources = this.found.get(uri);
    for (const change of changes) {
      if (sources === undefined || !TextDocumentContentChangeEvent.isIncremental(change)) continue;
      for (const [source, found] of sources)
        sources.set(
          source,
          found.map((each) => ({ ...each, range: movedBy(each.range, change) })),
        );
    }
  }

  /**
   * A document was edited: takes back what checks of its kernels have found, and what runs of programs have
   * found in it, in whichever documents that was.
   */
  dropRuns(uri: string): void {
    const sources = new Set([...this.found.values()].flatMap((each) => [...each.keys()]));
    const own = this.found.get(uri);
    for (const source of sources)
      if (source.startsWith(checkOf(uri, "")) || (source.startsWith("program ") && own?.has(source)))
        this.putAll(source, new Map());
  }

  forget(uri: string): void {
    if (this.found.delete(uri)) this.publish(uri, []);
  }
}

/**
 * What several sources say of one line is said once, by the gravest: a program that does not compile has
 * errors that a compile of its file alone tells as warnings, with words of its own in front.
 */
function onceEach(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const gravestFirst = diagnostics.toSorted((one, other) => gravity(one) - gravity(other));
  const said = gravestFirst.filter(
    (diagnostic, position) => !gravestFirst.slice(0, position).some((each) => says(each, diagnostic)),
  );
  return [...new Set(diagnostics)].filter((diagnostic) => said.includes(diagnostic));
}

/** Whether one says of its line what the other says of it. */
function says(one: Diagnostic, other: Diagnostic): boolean {
  return one.range.start.line === other.range.start.line && textOf(other).endsWith(textOf(one));
}

function textOf({ message }: Diagnostic): string {
  return typeof message === "string" ? message : message.value;
}

/** The protocol counts from 1, the gravest. */
function gravity({ severity }: Diagnostic): number {
  return severity ?? DiagnosticSeverity.Error;
}
