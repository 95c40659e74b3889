import { agreeToNoWalls, withoutWallsRemedy } from "../../process/without-walls";
import type { JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import { listIn } from "./read-json";

/**
 * Walls without which no candidate's Python is imported, by their names in server/worker/PROTOCOL.md: no
 * network, no signals to others, no look at others' memory and environment, no file of the user's.
 */
export const requiredWalls: readonly string[] = [
  "network",
  "processes",
  "process-table",
  "other-files",
  "read-only",
  "capabilities",
];

/** Required walls that a candidate's process lacks. Throws `worker-protocol` for a hello that names none. */
export function missingWalls(hello: JsonObject): readonly string[] {
  const held = listIn(hello, "walls");
  return requiredWalls.filter((name) => !held.includes(name));
}

/** Why a candidate's Python is not run on a machine, and what the user can do. */
export function wallsMissing(missing: readonly string[], machine: string): OperationalError {
  return withoutWalls(`Python kernels are not run on ${machine}`, missing);
}

/** Why no candidate is run on a GPU, where its process says that walls are missing; else undefined. */
export function gpuWallsMissing(message: string): OperationalError | undefined {
  const [, missing] = /kernelwright: missing walls: (.+)/.exec(message) ?? [];
  return missing === undefined
    ? undefined
    : withoutWalls("kernels are not run on the GPU", missing.split(", "));
}

function withoutWalls(what: string, missing: readonly string[]): OperationalError {
  return new OperationalError("walls-missing", {
    forUser: `${what}: they cannot be walled off there (missing: ${missing.join(", ")}), so a candidate could read and change your files, keys among them. Walls need Linux with unprivileged user namespaces, or with Landlock (6.2 and later). ${agreeToNoWalls}`,
    forModel: "kernels cannot be run on this machine",
    remedy: withoutWallsRemedy,
  });
}

/** What a verdict says that was reached without walls. */
export function wallsRemark(missing: readonly string[]): string {
  return `The candidate's Python ran without walls, as the user allowed (missing: ${missing.join(", ")}).`;
}
