/**
 * Everything that can go wrong in the world around us. Closed: a new code is added here and explained in the
 * README.
 */
export type OperationalCode =
  | "cancelled"
  | "file-not-found"
  | "file-unreadable"
  | "path-outside-workspace"
  /** A rule on paths hides the file: it may hold keys, or the user excluded it. */
  | "path-excluded"
  | "spec-invalid"
  | "kernel-not-found"
  | "tool-missing"
  | "tool-failed"
  | "worker-lost"
  | "worker-timeout"
  | "worker-protocol"
  /** Candidates cannot be walled off on this machine, and the user has not agreed to do without. */
  | "walls-missing"
  | "transport-failed"
  | "target-unknown"
  | "model-unavailable"
  | "model-refused-credentials"
  | "session-locked"
  | "session-damaged"
  | "session-not-found"
  | "workspace-untrusted"
  | "disk-failed"
  | "usage";

interface OperationalErrorOptions {
  /** What the user reads: names the file or tool, what was expected, and what to do. */
  readonly forUser: string;
  /** What the model reads instead, when it differs (no machine paths, no secrets). */
  readonly forModel?: string;
  /** One command that mends it, when there is one. */
  readonly remedy?: string;
  /** Where the user mends it: a file of the workspace by its path in it, and a line from 1. */
  readonly place?: { readonly file: string; readonly line: number };
  /** What a program recorded is gone: that program, or true where it is not known. */
  readonly recordAgain?: RecordedProgram | true;
  readonly cause?: unknown;
}

/** A program whose recording brings back what is gone. */
interface RecordedProgram {
  /** By its path in the workspace. */
  readonly file: string;
  readonly arguments: readonly string[];
  readonly compileOptions: readonly string[];
}

/** The one class for operational failures: code for programs, text for people, cause for the log. */
export class OperationalError extends Error {
  override readonly name = "OperationalError";
  readonly code: OperationalCode;
  readonly forModel: string;
  readonly remedy: string | undefined;
  readonly place: OperationalErrorOptions["place"];
  readonly recordAgain: OperationalErrorOptions["recordAgain"];

  constructor(code: OperationalCode, options: OperationalErrorOptions) {
    super(options.forUser, { cause: options.cause });
    this.code = code;
    this.forModel = options.forModel ?? options.forUser;
    this.remedy = options.remedy;
    this.place = options.place;
    this.recordAgain = options.recordAgain;
  }
}

/** Turns anything thrown into an OperationalError, keeping the original as its cause. */
export function toOperational(thrown: unknown, code: OperationalCode): OperationalError {
  if (thrown instanceof OperationalError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new OperationalError(code, { forUser: text, cause: thrown });
}
