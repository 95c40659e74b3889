/**
 * Leaders of the process groups that we started and that have not ended. Whatever way the server exits, none
 * is left behind.
 */
const leaders = new Set<number>();
let watching = false;

/** Remembers a group until it is forgotten; on the exit of this process all remembered groups are killed. */
export function rememberGroup(leader: number): void {
  if (!watching) {
    watching = true;
    process.on("exit", () => {
      for (const each of leaders) signalGroup(each, "SIGKILL");
    });
  }
  leaders.add(leader);
}

export function forgetGroup(leader: number): void {
  leaders.delete(leader);
}

/** How many groups are alive. */
export function countGroups(): number {
  return leaders.size;
}

/** Signals every process of the group. False when there is none any more. */
export function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    // ESRCH: the group has ended by itself. EPERM: macOS says so for a group of zombies. Both mean that
    // nothing is left to signal.
    if (error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM"))
      return false;
    throw error;
  }
}
