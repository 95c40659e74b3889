import { randomInt } from "node:crypto";
import type { FailedRun } from "../../evaluation/failed-run";
import type { GuardBand } from "./timed-messages";
import type { ShapedCall } from "./timed-order";

/** Keeps every alignment that memory of a GPU has by itself. */
const guardBytes = 4096;

/** A tool that looks for accesses outside of memory shall see where memory ends. */
export const noGuard: GuardBand = { bytes: 0, value: 0 };

/** A band for one order, of a value that no code knows beforehand. */
export function newGuard(): GuardBand {
  return { bytes: guardBytes, value: randomInt(1, 256) };
}

/**
 * The run that wrote beside one of its buffers. `message`, of `runtime/entry/timed.hpp`: which buffer (from
 * 0) and which byte from its start, the nearest that has changed.
 */
export function overwrittenGuard({ buffers }: Pick<ShapedCall, "buffers">, message: string): FailedRun {
  const [, place, byte] = /^(\d+) (-?\d+)$/.exec(message) ?? [];
  const buffer = buffers[Number(place)];
  // Host code of a candidate lives in the process that says this, and may say anything.
  const where =
    buffer === undefined
      ? "memory beside a buffer was written"
      : `byte ${byte} of ${buffer.name}, which has ${buffer.bytes}, was written`;
  const finding = { kind: "guard-overwritten", file: "", line: 0, message: `on the GPU: ${where}` };
  return { kind: "did-not-run", reason: finding.message, findings: [finding] };
}
