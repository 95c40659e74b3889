import { OperationalError } from "../base/operational-error";

/** The error that every await ends in once the session is cancelled. */
export function cancelledError(): OperationalError {
  return new OperationalError("cancelled", { forUser: "the session was cancelled" });
}

/** True for anything that was thrown because the signal fired, whatever the thrower called it. */
export function isCancellation(thrown: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (thrown instanceof OperationalError && thrown.code === "cancelled");
}

/**
 * The result of the work, or the cancellation as soon as the signal fires, even when the work does not listen
 * to it.
 */
export async function untilAborted<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  if (signal.aborted) throw cancelledError();
  let stopListening = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    const listener = (): void => reject(cancelledError());
    signal.addEventListener("abort", listener, { once: true });
    stopListening = () => signal.removeEventListener("abort", listener);
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    stopListening();
  }
}
