import { at } from "../../../core/base/known";
import type { JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import type { SourceTree } from "../../../core/judge/candidate";
import type { Diagnostic } from "../../../core/judge/verdict";
import type { BuildSettings } from "../../../core/workload/build-settings";
import { buildParams, messagesOf, readsOutside } from "../compile/cuda-compiler";
import { executedCode } from "../../../core/timing/gpu-model";
import type { EntryPrograms } from "../../../core/ports/entry-programs";
import { isTimeout, readDiagnostic } from "../compile/compiled-module";
import { withPlainMath } from "../compile/plain-math";
import type { Reply } from "../transport/connection";
import { flagIn, listIn, objectIn } from "../transport/read-json";
import type { WorkerHandle } from "../transport/worker-handle";

interface HostCompilerOptions {
  /** The build worker of this machine: what it makes runs here. */
  readonly build: WorkerHandle;
  readonly programs: EntryPrograms;
  readonly nvcc: string;
  readonly limitSeconds: number;
  readonly withoutWalls: boolean;
}

export interface HostSource {
  readonly files: SourceTree;
  /** The harness. */
  readonly main: string;
  readonly build?: BuildSettings;
  readonly origin: "user" | "candidate";
  /** That of the target: what kernels say of themselves beside host code is read for it. */
  readonly architecture?: string;
  /** Of a GPU: device code is compiled for it, and NVIDIA's runtime is linked. Left out: ours is. */
  readonly gpu?: string;
}

export type HostCode =
  | { readonly kind: "compiled"; readonly program: Uint8Array; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "did-not-compile"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "timed-out"; readonly limitSeconds: number };

/** How many executables are kept in memory; the worker keeps more on disk. */
const keptPrograms = 8;

/** The host side of harnesses, once for each content. */
export class HostCompiler {
  private readonly known = new Map<string, Promise<HostCode>>();

  constructor(private readonly options: HostCompilerOptions) {}

  /** Throws OperationalError for what is not the source's fault. */
  async compile(source: HostSource, signal: AbortSignal): Promise<HostCode> {
    const files = Object.entries(source.files).sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify([
      ...[source.main, source.origin, source.gpu ?? "", virtualArchitecture(source)],
      ...[buildParams(source.build), files],
    ]);
    const known = readsOutside(source.build) ? undefined : this.known.get(key);
    const joined = await known?.catch(() => undefined);
    if (joined !== undefined) return joined;
    const compiling = this.request(source, signal);
    this.known.set(key, compiling);
    // What failed may have failed for the lack of a file that is there the next time.
    compiling.then(
      ({ kind }) => kind !== "compiled" && this.known.delete(key),
      () => this.known.delete(key),
    );
    for (const oldest of [...this.known.keys()].slice(0, -keptPrograms)) this.known.delete(oldest);
    return compiling;
  }

  /** What a program for the virtual GPU is compiled and linked with. */
  private async ours(source: HostSource, signal: AbortSignal): Promise<JsonObject> {
    const { programs } = this.options;
    const library = await programs.library(signal);
    const { headers, archives } = await programs.gpuLibraries(Object.values(source.files), signal);
    return { library, headers, archives: [...archives], architecture: virtualArchitecture(source) };
  }

  private async request(source: HostSource, signal: AbortSignal): Promise<HostCode> {
    const { files, main, build: settings, origin, gpu } = source;
    const { build, nvcc, limitSeconds: seconds } = this.options;
    const linked = gpu === undefined ? await this.ours(source, signal) : nvidias(gpu);
    const withoutWalls = this.options.withoutWalls || origin === "user";
    const params = { files: { ...files }, main, ...linked, nvcc, seconds, withoutWalls };
    const send = async (sent: JsonObject): Promise<HostCode> => {
      const reply = await build.request(
        "compile-host",
        { ...params, build: sent },
        { signal, timeLimitMilliseconds: (seconds + 30) * 1000 },
      );
      return readHostCode(reply, gpu !== undefined);
    };
    try {
      return await withPlainMath({
        files,
        build: buildParams(settings),
        isWhole: !readsOutside(settings),
        send,
        complaint: (code) => (code.kind === "did-not-compile" ? messagesOf(code.diagnostics) : undefined),
      });
    } catch (thrown) {
      if (isTimeout(thrown)) return { kind: "timed-out", limitSeconds: seconds };
      throw thrown;
    }
  }
}

/** Reads the worker's answer to `compile-host`. Throws `worker-protocol` for any other form. */
function readHostCode(reply: Reply, isForGpu: boolean): HostCode {
  const result = objectIn(reply.result, "result");
  const diagnostics = listIn(result, "diagnostics").map((each) =>
    readDiagnostic(objectIn(each, "diagnostic")),
  );
  const [program] = reply.frames;
  if (!flagIn(result, "compiled")) {
    const said = typeof result["said"] === "string" ? result["said"] : "";
    return { kind: "did-not-compile", diagnostics: explained(diagnostics, said, isForGpu) };
  }
  if (program === undefined)
    throw new OperationalError("worker-protocol", { forUser: "the worker compiled but sent no program" });
  return { kind: "compiled", program, diagnostics };
}

/** `compute_90` of sm_90, and of sm_90a too. */
function virtualArchitecture({ architecture }: HostSource): string {
  return `compute_${executedCode(architecture)}`;
}

/** What a program for a GPU is compiled and linked with. */
function nvidias(architecture: string): JsonObject {
  return { library: "", headers: "", archives: [], architecture };
}

/** What the linker says of a function that is nowhere, in words. */
function explained(
  diagnostics: readonly Diagnostic[],
  said: string,
  isForGpu: boolean,
): readonly Diagnostic[] {
  const missing = new Set(
    [...said.matchAll(/undefined reference to [`'](.+?)'/g)].map(([, name = ""]) => name),
  );
  if (missing.size === 0) return diagnostics;
  return [...missing].map((name) => ({
    severity: "error" as const,
    file: at(diagnostics, 0).file,
    line: 0,
    column: 0,
    message: /^cu[A-Z_a-z0-9]+$/.test(name)
      ? `${isForGpu ? "on a GPU only the CUDA runtime is linked, which" : "the virtual GPU's runtime"} has no ${name}`
      : `${name} is declared but defined in no file that the entry's file includes`,
    source: "nvcc",
  }));
}
