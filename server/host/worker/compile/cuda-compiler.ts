import type { JsonObject } from "../../../core/base/json";
import type { SourceTree } from "../../../core/judge/candidate";
import type { Diagnostic } from "../../../core/judge/verdict";
import { isTimeout, readCompiledModule, type CompiledModule, type HostCode } from "./compiled-module";
import {
  buildPrelude,
  type BuildSettings,
  noBuildSettings,
  nvccWords,
  withBodies,
} from "../../../core/workload/build-settings";
import type { DeviceSources, HostHalf } from "../../../core/ports/device-sources";
import { changesHostCode, compileSource, type CompilerRun } from "./host-code";
import { type Mends, moreMends, noMends } from "./mends";
import { withPlainMath } from "./plain-math";
import type { WorkerHandle } from "../transport/worker-handle";

/** How many compiled modules are kept in memory; the worker keeps many more on disk. */
/** How many times as long as before a file may take to compile, and the least limit. */
const patience = 10;
const leastSeconds = 45;
const keptModules = 32;

export interface CudaCompilerOptions {
  /** The user agreed that candidates are compiled on machines that have no walls. */
  readonly withoutWalls: boolean;
  readonly build: WorkerHandle;
  /** Path of nvcc on the worker's machine; empty = found there. */
  readonly nvcc: string;
  readonly limitSeconds: number;
  readonly deviceSources: DeviceSources;
}

export interface CudaSource {
  readonly files: SourceTree;
  /** The file to compile. */
  readonly main: string;
  /** Left out: the sources alone. */
  readonly build?: BuildSettings;
  readonly architecture: string;
  /** `user`: every file is the user's own, or reads no file that they do not read (`addedReaders`). */
  readonly origin: "user" | "candidate";
  /** What is done about host code. Left out: it is compiled wherever it can be. */
  readonly hostCode?: HostCode | undefined;
}

/** nvcc behind the worker, once for each content. */
export class CudaCompiler {
  private readonly modules = new Map<string, Promise<CompiledModule>>();
  /** Seconds of the longest compilation of each file that came to its end. */
  private readonly longest = new Map<string, number>();
  private readonly halves = new Map<string, Promise<HostHalf>>();
  /** What files need that no build setting names. */
  private readonly mends = new Map<string, Mends>();

  constructor(private readonly options: CudaCompilerOptions) {}

  /**
   * Compiles, or gives what is compiled already. Throws `walls-missing` for a candidate's source where
   * compilers cannot be walled off and the user has not agreed.
   *
   * A call that joins another's compilation is not ended by the
   * other's cancellation: it compiles anew then. Throws OperationalError for what is not the source's fault
   * (no nvcc, a lost worker, cancelled).
   */
  async compile(given: CudaSource, signal: AbortSignal): Promise<CompiledModule> {
    const { files: own, main, build: settings = noBuildSettings } = given;
    const source = { ...given, files: withBodies(own, main, settings) };
    const key = JSON.stringify([
      source.main,
      source.architecture,
      source.origin,
      source.hostCode ?? "",
      buildParams(source.build),
      instancesOf(source),
      Object.entries(source.files).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]);
    // What lies in folders outside of the sources may have changed; the worker looks.
    const joined = readsOutside(source.build) ? undefined : this.modules.get(key);
    if (joined !== undefined) {
      const module = await joined.catch(() => undefined);
      if (module !== undefined) return module;
    }
    const compiling = compileSource(
      { ...source, instances: instancesOf(source), folders: foldersOutside(source.build) },
      {
        deviceSources: this.options.deviceSources,
        run: (run) => this.requestMended(source, run, signal),
      },
    );
    this.modules.set(key, compiling);
    // What failed may have failed for the lack of a file that is there the next time.
    compiling.then(
      (module) => module.kind !== "compiled" && this.modules.delete(key),
      () => this.modules.delete(key),
    );
    for (const oldest of [...this.modules.keys()].slice(0, -keptModules)) this.modules.delete(oldest);
    return compiling;
  }

  /** Whether a candidate's host code differs from its baseline's in more than its layout. */
  changesHostCode(baseline: SourceTree, tree: SourceTree): Promise<boolean> {
    return changesHostCode(baseline, tree, this.options.deviceSources);
  }

  /** Sources with stand-ins for PyTorch's headers; undefined where none is included. */
  torchStandIn(files: SourceTree): Promise<SourceTree | undefined> {
    return this.options.deviceSources.torchStandIn(files);
  }

  /** The host's half of a source. */
  hostHalf({ files, build = noBuildSettings }: Pick<CudaSource, "files" | "build">): Promise<HostHalf> {
    const macros = build.defines.map(({ name, value }) => `#define ${name} ${value || ""}\n`).join("");
    const key = JSON.stringify([macros, Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))]);
    const half = this.halves.get(key) ?? this.options.deviceSources.hostHalf(files, macros);
    this.halves.set(key, half);
    for (const oldest of [...this.halves.keys()].slice(0, -keptModules)) this.halves.delete(oldest);
    return half;
  }

  /** With what the compiler says that the source lacks: names of older toolkits, options of its own. */
  private async requestMended(
    source: CudaSource,
    run: CompilerRun,
    signal: AbortSignal,
  ): Promise<CompiledModule> {
    const { words } = buildParams(source.build);
    let mends = this.mends.get(source.main) ?? noMends;
    for (;;) {
      const older = mends.olderCuda ? await this.options.deviceSources.withOlderCuda(run.files) : {};
      const module = await this.request(source, { ...run, ...older, options: mends.options }, signal);
      if (module.kind === "compiled" && mends !== noMends) this.mends.set(source.main, mends);
      if (module.kind !== "did-not-compile") return module;
      const more = moreMends(mends, messagesOf(module.diagnostics), words);
      if (more === undefined) return module;
      mends = more;
    }
  }

  private async request(
    { main, build: settings, architecture, origin }: CudaSource,
    { files, instances, torch, prelude = "", options = [] }: CompilerRun,
    signal: AbortSignal,
  ): Promise<CompiledModule> {
    // Walls are built wherever they can be; this says that their absence is no reason to refuse.
    const withoutWalls = this.options.withoutWalls || origin === "user";
    const { build, nvcc } = this.options;
    const longest = this.longest.get(main);
    const limitSeconds = limitAfter(longest, this.options.limitSeconds);
    const started = performance.now();
    const send = async (sent: JsonObject): Promise<CompiledModule> =>
      readCompiledModule(
        await build.request(
          "compile-cuda",
          { files: { ...files }, main, build: sent, architecture, nvcc, seconds: limitSeconds, withoutWalls },
          // The worker ends a compiler that takes too long; our own limit is for a worker that hangs itself.
          { signal, timeLimitMilliseconds: (limitSeconds + 30) * 1000 },
        ),
      );
    try {
      const compiled = await withPlainMath({
        files,
        build: {
          ...buildParams(settings),
          words: [...buildParams(settings).words, ...options],
          prelude: buildPrelude(settings ?? noBuildSettings) + prelude,
          instances: [...instances],
          torch: torch ?? "",
        },
        isWhole: !readsOutside(settings) && torch !== "headers",
        send,
        complaint: (module) =>
          module.kind === "did-not-compile" ? messagesOf(module.diagnostics) : undefined,
      });
      const seconds = (performance.now() - started) / 1000;
      if (compiled.kind === "compiled") this.longest.set(main, Math.max(longest ?? 0, seconds));
      return compiled;
    } catch (thrown) {
      if (isTimeout(thrown)) return { kind: "timed-out", limitSeconds };
      throw thrown;
    }
  }
}

/** Seconds that a file may take which took so many before: templates without end are no larger kernel. */
function limitAfter(longest: number | undefined, limitSeconds: number): number {
  if (longest === undefined) return limitSeconds;
  return Math.min(limitSeconds, Math.max(leastSeconds, patience * longest));
}

function instancesOf({ build }: CudaSource): readonly string[] {
  return (build?.instances ?? []).map(({ text }) => text);
}

/** What compilers said, line by line. */
export function messagesOf(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(({ message }) => message).join("\n");
}

/** Whether a source may include files that are not among the sources it comes with. */
export function readsOutside(settings: BuildSettings = noBuildSettings): boolean {
  return foldersOutside(settings).length > 0;
}

function foldersOutside({ includeFolders }: BuildSettings = noBuildSettings): readonly string[] {
  return includeFolders.map(({ folder }) => folder).filter((folder) => folder.startsWith("/"));
}

/** Build settings of a request to the worker. */
interface BuildParams extends JsonObject {
  readonly words: string[];
  readonly prelude: string;
  readonly folders: string[];
}

/** The settings as the worker takes them: folders of the workspace are relative to where it compiles. */
export function buildParams(settings: BuildSettings = noBuildSettings): BuildParams {
  return {
    words: [...nvccWords(settings, (folder) => (folder === "" ? "." : folder))],
    prelude: buildPrelude(settings),
    folders: [...foldersOutside(settings)],
  };
}
