import type { TimelineStep } from "../../../server/core/trajectory/timeline/step";
import type { SessionStatus } from "../../../server/protocol/views";

/**
 * Milliseconds until a run was over, or until its last event while it runs: what is decided afterwards takes
 * none.
 */
export function runEnd(status: SessionStatus, steps: readonly TimelineStep[]): number | undefined {
  const end = status === "running" ? undefined : steps.findLast(({ ends }) => ends === true);
  return (end ?? steps.at(-1))?.at;
}
