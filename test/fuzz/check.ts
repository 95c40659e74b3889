import { readCubin } from "../../server/core/cubin/index";
import {
  DeviceMemory,
  type KernelArgument,
  type LaunchRequest,
  compileKernel,
  launch,
  parsePtx,
} from "../../server/core/vgpu/index";
import { Random } from "./random";

/** How an input ended, or what is wrong with how it did. */
export type Ending =
  | { readonly kind: "fine"; readonly how: string }
  | { readonly kind: "wrong"; readonly what: string };

/**
 * Longest that one input may take, in milliseconds of the processor: a hundred times what the slowest honest
 * one takes.
 */
const slowest = 20_000;
/** Most linear memory that one launch may take. */
const mostMemory = 1 << 30;

function timed(work: () => Ending): Ending {
  const start = process.cpuUsage();
  let ending: Ending;
  try {
    ending = work();
  } catch (thrown) {
    return {
      kind: "wrong",
      what: `threw ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
    };
  }
  const used = process.cpuUsage(start);
  const took = (used.user + used.system) / 1000;
  return took > slowest ? { kind: "wrong", what: `took ${Math.round(took)} ms` } : ending;
}

const shapes: readonly (readonly [LaunchRequest["grid"], LaunchRequest["block"]])[] = [
  [
    [1, 1, 1],
    [32, 1, 1],
  ],
  [
    [2, 1, 1],
    [64, 1, 1],
  ],
  [
    [1, 2, 2],
    [8, 4, 3],
  ],
  [
    [3, 1, 1],
    [1, 1, 1],
  ],
  [
    [1, 1, 1],
    [128, 1, 1],
  ],
];

/**
 * Reads, compiles and runs a text on guarded memory: everything has to end in a value, soon, and the guards
 * have to hold.
 */
export function checkPtx(text: string, seed: number): Ending {
  return timed(() => {
    const random = new Random(seed);
    const parsed = parsePtx(text);
    if (!parsed.ok)
      return parsed.problem.line >= 1
        ? { kind: "fine", how: "not read" }
        : { kind: "wrong", what: `a problem in line ${parsed.problem.line}` };
    const entries = [...parsed.value.functions.values()].filter(({ isEntry }) => isEntry);
    const entry = random.pick(entries);
    // An invalid WebAssembly module throws here.
    const compiled = compileKernel(parsed.value, entry?.name ?? "", {
      counters: random.once(2),
      detectors: random.once(2),
    });
    if (!compiled.ok)
      return compiled.problem.reason.startsWith("refused: ")
        ? { kind: "fine", how: "refused" }
        : { kind: "wrong", what: compiled.problem.reason };
    const memory = new DeviceMemory();
    const data = memory.allocate("data", 4096, {
      initial: Uint8Array.from({ length: 4096 }, () => random.below(256)),
    });
    const values = compiled.value.parameters.map(({ size }): KernelArgument => {
      if (size === 8 && !random.once(6))
        return { kind: "address", value: data + BigInt(random.once(4) ? random.below(4096) : 0) };
      return {
        kind: "bytes",
        value: Uint8Array.from({ length: size }, () =>
          random.once(2) ? 0 : random.below(random.once(3) ? 256 : 40),
        ),
      };
    });
    const [grid, free] = random.pick(shapes) ?? [
      [1, 1, 1],
      [32, 1, 1],
    ];
    const block = random.once(8) ? free : (compiled.value.requiredThreads ?? free);
    const outcome = launch(compiled.value, {
      grid,
      block,
      memory,
      arguments: values,
      dynamicSharedBytes: random.once(2) ? 0 : 1 << random.below(14),
      instructionBudget: 20_000,
      faults: random.once(2) ? "report" : "end",
      cooperative: random.once(8),
      print: () => undefined,
    });
    const damaged = memory.damagedGuards();
    if (damaged.length > 0) return { kind: "wrong", what: `wrote outside of ${damaged.join(", ")}` };
    if (memory.memory.buffer.byteLength > mostMemory)
      return { kind: "wrong", what: `took ${memory.memory.buffer.byteLength} bytes of memory` };
    return { kind: "fine", how: outcome.kind === "fault" ? outcome.finding.kind : outcome.kind };
  });
}

/** Reads a cubin, which has to end in a value, soon. */
export function checkCubin(bytes: Uint8Array): Ending {
  return timed(() => {
    const outcome = readCubin(bytes);
    if (outcome.ok) return { kind: "fine", how: "read" };
    return outcome.problem.message.length > 10
      ? { kind: "fine", how: outcome.problem.kind }
      : { kind: "wrong", what: "a problem without a sentence" };
  });
}
