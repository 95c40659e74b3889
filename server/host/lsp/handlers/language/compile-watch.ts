import type { Disposable } from "../../../../core/base/disposable";
import { type OperationalError, toOperational } from "../../../../core/base/operational-error";
import type { Target } from "../../../../core/timing/target";
import type { CompiledFacts, Diagnostic } from "../../../../core/judge/verdict";
import { evaluateBlock } from "../../../../core/language/launch-evaluation";
import { findLaunchSites } from "../../../../core/language/source-file";
import type { OpenDocument } from "../../documents";
import { digestOf } from "../../documents";

/** Threads and dynamic shared memory of the launches of a kernel, as far as the source says. */
export interface LaunchFacts {
  readonly threadsPerBlock?: number;
  readonly dynamicSharedBytes: number;
}

/** What the last compile said of one document. */
interface DocumentFacts {
  readonly digest: string;
  readonly architecture: string;
  readonly facts: readonly CompiledFacts[];
  /** By the kernel's name. */
  readonly launches: ReadonlyMap<string, LaunchFacts>;
}

export interface CompileRequest {
  readonly document: OpenDocument;
  readonly target: Target;
  readonly signal: AbortSignal;
}

export interface CompileResult {
  readonly facts: readonly CompiledFacts[];
  readonly diagnostics: readonly Diagnostic[];
}

interface CompileWatchOptions {
  /** How long the text must rest before it is compiled. */
  readonly restMilliseconds: number;
  readonly compile: (request: CompileRequest) => Promise<CompileResult>;
  readonly target: (uri: string) => Target;
  /** New facts and diagnostics of a document whose text is still the one that was compiled. */
  readonly finished: (document: OpenDocument, diagnostics: readonly Diagnostic[]) => void;
  /**
   * A compile that could not be made at all (no compiler, lost worker): told once for each text of the
   * problem.
   */
  readonly failed: (problem: OperationalError) => void;
}

interface Pending {
  readonly controller: AbortController;
  readonly timer: NodeJS.Timeout;
}

/**
 * Compiles documents when they are opened, saved or at rest. A newer text cancels the compile of the older
 * one.
 */
export class CompileWatch implements Disposable {
  private readonly pending = new Map<string, Pending>();
  private readonly known = new Map<string, DocumentFacts>();
  private readonly told = new Set<string>();

  constructor(private readonly options: CompileWatchOptions) {}

  /** Asks for a compile; `at once` for opening and saving, else when the text has rested. */
  request(document: OpenDocument, when: "at once" | "at rest"): void {
    this.cancel(document.uri);
    const controller = new AbortController();
    const timer = setTimeout(
      () => void this.run(document, controller),
      when === "at once" ? 0 : this.options.restMilliseconds,
    );
    this.pending.set(document.uri, { controller, timer });
  }

  /** Facts of the last compile; `stale` when the text is another by now. */
  factsOf(document: OpenDocument): (DocumentFacts & { readonly stale: boolean }) | undefined {
    const facts = this.known.get(document.uri);
    return facts === undefined ? undefined : { ...facts, stale: facts.digest !== digestOf(document.text) };
  }

  /** Takes over facts that came from a check; what is known of other kernels of the same text stays. */
  learn(document: OpenDocument, facts: readonly CompiledFacts[], architecture: string): void {
    if (facts.length === 0) return;
    const digest = digestOf(document.text);
    const last = this.known.get(document.uri);
    const isOfSameText = last?.digest === digest && last.architecture === architecture;
    const learnt = new Set(facts.map(nameOf));
    const others = (isOfSameText ? last.facts : []).filter((each) => !learnt.has(nameOf(each)));
    this.known.set(document.uri, {
      ...{ digest, architecture, facts: [...others, ...facts] },
      launches: launchesOf(document),
    });
  }

  cancel(uri: string): void {
    const pending = this.pending.get(uri);
    if (pending === undefined) return;
    clearTimeout(pending.timer);
    pending.controller.abort();
    this.pending.delete(uri);
  }

  forget(uri: string): void {
    this.cancel(uri);
    this.known.delete(uri);
  }

  dispose(): void {
    for (const uri of [...this.pending.keys()]) this.cancel(uri);
  }

  private async run(document: OpenDocument, controller: AbortController): Promise<void> {
    if (controller.signal.aborted) return;
    if (document.findKernels().length === 0) {
      if (this.known.delete(document.uri)) this.options.finished(document, []);
      return;
    }
    const digest = digestOf(document.text);
    const launches = launchesOf(document);
    try {
      const target = this.options.target(document.uri);
      const { facts, diagnostics } = await this.options.compile({
        document,
        target,
        signal: controller.signal,
      });
      if (controller.signal.aborted) return;
      if (facts.length > 0)
        this.known.set(document.uri, { digest, architecture: target.architecture, facts, launches });
      this.options.finished(document, diagnostics);
    } catch (thrown) {
      if (controller.signal.aborted) return;
      const problem = toOperational(thrown, "tool-failed");
      if (!this.told.has(problem.message)) this.options.failed(problem);
      this.told.add(problem.message);
    } finally {
      if (this.pending.get(document.uri)?.controller === controller) this.pending.delete(document.uri);
    }
  }
}

function launchesOf(document: OpenDocument): ReadonlyMap<string, LaunchFacts> {
  const source = document.parsed();
  if (source === undefined || source.dialect !== "cuda") return new Map();
  const launches = new Map<string, LaunchFacts>();
  for (const site of findLaunchSites(source)) {
    const block = evaluateBlock(site);
    if (!launches.has(site.kernel)) launches.set(site.kernel, block);
  }
  return launches;
}

/** Of a kernel, whatever its instance and namespace. */
function nameOf({ kernel }: CompiledFacts): string {
  return kernel.replace(/<.*$/s, "").split("::").at(-1) ?? kernel;
}
