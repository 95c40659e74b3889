import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capabilityOf, commonLimits, limitsOf } from "../../../server/core/timing/gpu-model";
import type { OccupancyInput, OccupancyLimiter } from "../../../server/core/timing/occupancy";

/** What the toolkit's calculator says: blocks on a multiprocessor, and every resource that admits no more. */
export interface Reference {
  readonly blocks: number;
  readonly limiters: readonly OccupancyLimiter[];
}

const headers = [process.env["CUDA_HOME"], "/usr/local/cuda"]
  .flatMap((folder) => (folder === undefined ? [] : [join(folder, "include")]))
  .find((folder) => existsSync(join(folder, "cuda_occupancy.h")));

/**
 * True where the toolkit's header is installed: then answers are computed, not only read from the recorded
 * table.
 */
export const hasToolkit = headers !== undefined;

const factors: readonly (readonly [number, OccupancyLimiter])[] = [
  [1, "warps"],
  [2, "registers"],
  [4, "shared-memory"],
  [8, "blocks"],
];

/** Compiles the toolkit's header once and asks it about all inputs. */
export function askToolkit(inputs: readonly OccupancyInput[]): readonly Reference[] {
  const folder = mkdtempSync(join(tmpdir(), "occupancy-"));
  try {
    const program = join(folder, "reference");
    execFileSync(
      "g++",
      ["-O1", "-I", headers ?? "", join(import.meta.dirname, "occupancy-reference.cpp"), "-o", program],
      { stdio: "pipe" },
    );
    const output = execFileSync(program, {
      input: inputs.map((input) => `${rowOf(input)}\n`).join(""),
      encoding: "utf8",
    });
    return output
      .trim()
      .split("\n")
      .map((line) => {
        const [blocks = 0, bits = 0] = line.split(" ").map(Number);
        return {
          blocks,
          limiters: factors.filter(([bit]) => (bits & bit) !== 0).map(([, limiter]) => limiter),
        };
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rowOf({ architecture, threadsPerBlock, registersPerThread, sharedBytes }: OccupancyInput): string {
  const limits = limitsOf(architecture);
  const [major = "", minor = ""] = capabilityOf(architecture).split(".");
  return [
    major,
    minor,
    limits.warpsPerSm,
    commonLimits.registersPerSm,
    limits.sharedBytesPerSm,
    limits.sharedBytesPerBlock,
    limits.reservedSharedBytes,
    threadsPerBlock,
    registersPerThread,
    sharedBytes,
  ].join(" ");
}
