import type { OperationalError } from "../../core/base/operational-error";
import type { SessionOutcome } from "../../core/trajectory/events";

/** What the program tells its caller; the README has the same table. */
export const exitCodes = {
  /** The job was done: improved, correct, exported, everything found. */
  done: 0,
  /**
   * An honest negative: no gain was found, the kernel is wrong, something that was asked about is missing.
   */
  negative: 1,
  /** The command line could not be understood. */
  usage: 2,
  /** The job could not be done: a tool is missing, a file cannot be read, the session failed. */
  failed: 3,
  /** A budget ran out before a gain was found. */
  limit: 4,
  /** Ended by the user. */
  cancelled: 130,
} as const;

export function exitCodeOfOutcome(outcome: SessionOutcome): number {
  switch (outcome) {
    case "improved":
      return exitCodes.done;
    case "no-gain":
      return exitCodes.negative;
    case "failed":
      return exitCodes.failed;
    case "limit":
      return exitCodes.limit;
    case "cancelled":
      return exitCodes.cancelled;
  }
}

export function exitCodeOfError(error: OperationalError): number {
  if (error.code === "cancelled") return exitCodes.cancelled;
  return error.code === "usage" || error.code === "target-unknown" ? exitCodes.usage : exitCodes.failed;
}
