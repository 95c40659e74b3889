import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** What tells one process from every other, also from a later one with the same number. */
export interface ProcessMark {
  readonly pid: number;
  /** Start time in clock ticks since boot; empty where the system does not say. */
  readonly start: string;
  /** Changes with every boot; empty where the system does not say. */
  readonly boot: string;
  /** Machine and process namespace: a number means nothing outside of it. */
  readonly scope: string;
}

function readOr(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

/**
 * Field 22 of /proc/PID/stat (proc(5)); the name in field 2 may hold spaces and brackets, so counting begins
 * after the last one.
 */
function startOf(pid: number): string {
  const stat = readOr(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

/** The mark of this process. */
export function ownMark(): ProcessMark {
  return {
    pid: process.pid,
    start: startOf(process.pid),
    boot: readOr(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    scope: [hostname(), readOr(() => readlinkSync("/proc/self/ns/pid"))].filter(Boolean).join(" "),
  };
}

/**
 * `unknown` = the process belongs to another machine or container, or the system cannot tell it from a later
 * one.
 */
export function stateOf(mark: ProcessMark, own: ProcessMark = ownMark()): "alive" | "dead" | "unknown" {
  if (mark.scope !== own.scope) return "unknown";
  if (mark.boot !== own.boot) return "dead";
  if (!isRunning(mark.pid)) return "dead";
  if (mark.start === "" || mark.boot === "") return mark.pid === own.pid ? "alive" : "unknown";
  return startOf(mark.pid) === mark.start ? "alive" : "dead";
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Not allowed to signal it means that it is there.
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
}
