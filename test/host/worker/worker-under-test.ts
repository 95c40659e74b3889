import { join } from "node:path";
import { spawnTransport } from "../../../server/host/worker/transport/spawn-transport";
import type { Transport } from "../../../server/host/worker/transport/transport";

export const workerFolder = join(__dirname, "../../../server/worker");

/** The interpreter that the test command prepared (with torch, triton and numpy); else the one on PATH. */
export const python = process.env["KERNELWRIGHT_PYTHON"] ?? "python3";

export function localTransport(): Transport {
  return spawnTransport({ python, workerFolder });
}
