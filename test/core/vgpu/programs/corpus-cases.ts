import { DeviceMemory, compileKernel, launch, parsePtx } from "../../../../server/core/vgpu/index";
import { address, describe } from "../support";

/** One line of what a corpus program prints: see test/cases/vgpu/corpus/corpus.h. */
interface Entry {
  readonly name: string;
  readonly format: Format;
  /**
   * Allowed distance in units of the last place of the expected value; 0 compares bits, but for the payloads
   * of NaNs.
   */
  readonly ulps: number;
  readonly input: Uint8Array;
  readonly output: Uint8Array;
}

type Format = "f32" | "f64" | "b8" | "b16" | "b32" | "b64";

const threads = 128;
const sharedBytes = 16384;

function readEntry(line: string): Entry {
  const [name = "", , format = "b32", ulps = "0", input = "", output = ""] = line.split(" ");
  return {
    name,
    format: format as Format,
    ulps: Number(ulps),
    input: Buffer.from(input, "hex"),
    output: Buffer.from(output, "hex"),
  };
}

/**
 * Runs every kernel of a corpus file on the inputs that its host program printed; returns what differs, a
 * line each.
 */
export function problemsOfCorpus(ptx: string, printed: string): string[] {
  const parsed = parsePtx(ptx);
  if (!parsed.ok) return [`PTX line ${parsed.problem.line}: ${parsed.problem.message}`];
  return printed
    .split("\n")
    .filter((line) => line !== "")
    .map(readEntry)
    .flatMap((entry) => {
      const compiled = compileKernel(parsed.value, entry.name, { counters: false, detectors: false });
      if (!compiled.ok) return [`${entry.name}: ${compiled.problem.reason}`];
      const memory = new DeviceMemory();
      const input = memory.allocate("in", entry.input.length, { initial: entry.input, readOnly: true });
      const output = memory.allocate("out", entry.output.length, {
        initial: new Uint8Array(entry.output.length),
      });
      const outcome = launch(compiled.value, {
        grid: [1, 1, 1],
        block: [threads, 1, 1],
        dynamicSharedBytes: sharedBytes,
        memory,
        instructionBudget: 1e8,
        arguments: [input, output].map(address),
      });
      if (outcome.kind !== "completed") return [`${entry.name}: ${describe(outcome)}`];
      return differences(entry, memory.read(output))
        .slice(0, 3)
        .map((text) => `${entry.name}: ${text}`);
    });
}

function differences({ format, ulps, input, output }: Entry, actual: Uint8Array): string[] {
  const size = Number(format.slice(1)) / 8;
  const found: string[] = [];
  for (let at = 0; at < output.length; at += size) {
    const [wanted, got] = [output.subarray(at, at + size), actual.subarray(at, at + size)];
    if (
      format.startsWith("f")
        ? isClose(numberOf(got), numberOf(wanted), size, ulps)
        : Buffer.compare(wanted, got) === 0
    )
      continue;
    const text = (bytes: Uint8Array): string =>
      format.startsWith("f") ? String(numberOf(bytes)) : Buffer.from(bytes).reverse().toString("hex");
    const inputs = [0, 1, 2].map((column) =>
      Buffer.from(input.subarray(at + column * threads * size, at + column * threads * size + size))
        .reverse()
        .toString("hex"),
    );
    found.push(`element ${at / size}: expected ${text(wanted)}, got ${text(got)} (of ${inputs.join(", ")})`);
  }
  return found;
}

function numberOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return bytes.length === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
}

function isClose(got: number, wanted: number, size: number, ulps: number): boolean {
  if (Object.is(got, wanted) || (Number.isNaN(got) && Number.isNaN(wanted))) return true;
  if (ulps === 0) return false;
  const [bits, least] = size === 4 ? [23, -126] : [52, -1022];
  const unit =
    2 **
    (Math.max(least, Math.floor(Math.log2(Math.abs(Number.isFinite(wanted) ? wanted : got) || 2 ** least))) -
      bits);
  const limit = size === 4 ? 3.4028234663852886e38 : Number.MAX_VALUE;
  const clamp = (value: number): number => Math.min(limit, Math.max(-limit, value));
  return Math.abs(clamp(got) - clamp(wanted)) <= ulps * unit;
}
