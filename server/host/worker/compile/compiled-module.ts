import { isJsonObject, type JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import { readCubin, staticFacts } from "../../../core/cubin/index";
import { familiesOf } from "../../../core/base/instruction-families";
import type { CompiledFacts, Diagnostic } from "../../../core/judge/verdict";
import type { CodeOutcome } from "../../../core/ports/evaluator";
import type { Reply } from "../transport/connection";
import { formatName, readableName } from "../../../core/base/symbols/symbol-name";
import { bodiesOf, hasCompensatedSums } from "./compensated-sums";
import { countIn, flagIn, listIn, objectIn, textIn } from "../transport/read-json";

/** One entry function of a compiled module. */
export interface CompiledEntry {
  readonly symbol: string;
  readonly facts: CompiledFacts;
}

/**
 * `compiled`: the file is compiled as it is. `left-out`: its kernels alone, because the host code needs what
 * is not here (PyTorch, a library's headers).
 */
export type HostCode = "compiled" | "left-out";

export type CompiledModule =
  | {
      readonly kind: "compiled";
      readonly ptx: string;
      readonly cubin: Uint8Array;
      readonly entries: readonly CompiledEntry[];
      readonly diagnostics: readonly Diagnostic[];
      /** Left out: the whole file was compiled. */
      readonly hostCode?: HostCode;
    }
  | { readonly kind: "did-not-compile"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "timed-out"; readonly limitSeconds: number };

/** The code of every kernel of a module. */
export function codeOf({
  entries,
  ptx,
  cubin,
}: Extract<CompiledModule, { kind: "compiled" }>): Extract<CodeOutcome, { kind: "compiled" }> {
  return { kind: "compiled", kernels: entries.map(({ symbol }) => ({ symbol, ptx, cubin })) };
}

/**
 * Reads the worker's answer to `compile-cuda` and `assemble-ptx`. Throws `worker-protocol` for any other
 * form.
 */
export function readCompiledModule(reply: Reply): CompiledModule {
  const result = objectIn(reply.result, "result");
  const diagnostics = listIn(result, "diagnostics").map((each) =>
    readDiagnostic(objectIn(each, "diagnostic")),
  );
  if (!flagIn(result, "compiled")) return { kind: "did-not-compile", diagnostics };
  const [ptx, cubin] = reply.frames;
  if (ptx === undefined || cubin === undefined)
    throw new OperationalError("worker-protocol", { forUser: "the worker compiled but sent no PTX" });
  const text = Buffer.from(ptx).toString("utf8");
  const machineCode = machineCodeOf(cubin, text);
  const entries = listIn(result, "entries").map((each) => readEntry(objectIn(each, "entry"), machineCode));
  return { kind: "compiled", ptx: text, cubin, entries, diagnostics };
}

export function readDiagnostic(value: JsonObject): Diagnostic {
  const severity = textIn(value, "severity");
  return {
    severity: severity === "error" || severity === "warning" ? severity : "information",
    file: textIn(value, "file"),
    line: countIn(value, "line"),
    column: countIn(value, "column"),
    message: textIn(value, "message"),
    source: textIn(value, "source"),
  };
}

type MachineCode = (symbol: string) => Pick<CompiledFacts, "machineCode" | "families">;

/** The lines of a kernel's machine code. A cubin that cannot be read costs these facts and nothing else. */
function machineCodeOf(cubin: Uint8Array, ptx: string): MachineCode {
  const read = readCubin(cubin);
  if (!read.ok) return () => ({});
  const familiesIn = (symbol: string): Pick<CompiledFacts, "families"> => {
    const lines = read.value.kernels.filter(({ name }) => name === symbol).flatMap((code) => code.lines);
    const opcodes = lines.flatMap((line) => Object.keys(line.opcodes));
    const byName = familiesOf(opcodes, bodiesOf(ptx, symbol).join("\n"));
    const families = hasCompensatedSums(ptx, symbol) ? [...byName, "compensated-sum" as const] : byName;
    return families.length === 0 ? {} : { families };
  };
  return (symbol) => ({
    ...familiesIn(symbol),
    machineCode: staticFacts(read.value, symbol).lines.map(
      ({ file, line, instructions, staticStallCycles, spillInstructions, mix }) => ({
        file,
        line,
        instructions,
        staticStallCycles,
        spillInstructions,
        mix,
      }),
    ),
  });
}

function readEntry(value: JsonObject, machineCode: MachineCode): CompiledEntry {
  const symbol = textIn(value, "name");
  return {
    symbol,
    facts: {
      kernel: formatName(readableName(symbol)),
      architecture: textIn(value, "architecture"),
      registers: countIn(value, "registers"),
      spillStoreBytes: countIn(value, "spillStoreBytes"),
      spillLoadBytes: countIn(value, "spillLoadBytes"),
      stackBytes: countIn(value, "stackBytes"),
      sharedBytes: countIn(value, "sharedBytes"),
      ...machineCode(symbol),
    },
  };
}

/** True for a failure that says "this took too long" rather than "this is broken". */
export function isTimeout(thrown: unknown): boolean {
  return thrown instanceof OperationalError && thrown.code === "worker-timeout";
}

/** The fields of a reply that is an object; anything else is a broken protocol. */
export function replyObject(reply: Reply): JsonObject {
  if (!isJsonObject(reply.result))
    throw new OperationalError("worker-protocol", { forUser: "the worker's answer is not an object" });
  return reply.result;
}
