/** Time as a port: the core never asks the machine. */
export interface Clock {
  /** RFC 3339 UTC with milliseconds. */
  now(): string;
  /** Microseconds since the process started; only differences mean anything. */
  monotonicMicroseconds(): number;
  /** Resolves after the time, rejects with OperationalError `cancelled` when the signal fires. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}
