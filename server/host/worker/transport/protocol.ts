// Made of worker-protocol.json by `npm run protocols`: change it there.

import type { OperationalCode } from "../../../core/base/operational-error";

export const protocolVersion = 1;
/** The longest line of a message. */
export const headerLimitBytes = 16777216;
/** The most bytes of all frames of a message together. */
export const frameLimitBytes = 2147483648;

export type WorkerRole = "build" | "oracle" | "candidate" | "gpu";

/** What a worker is asked. */
export type WorkerMethod =
  | "compile-cuda"
  | "compile-host"
  | "assemble-ptx"
  | "read-setup-file"
  | "examine"
  | "open"
  | "make"
  | "pool"
  | "draw"
  | "move"
  | "steady"
  | "loosen"
  | "select"
  | "nudge"
  | "bound"
  | "vary"
  | "expect"
  | "judge"
  | "trivial"
  | "forget"
  | "load"
  | "probe"
  | "run"
  | "ask-driver"
  | "devices"
  | "find-python"
  | "claim"
  | "holder"
  | "release"
  | "put-program"
  | "remove-program";

/** What a worker asks while it works on a request. */
export const workerCalls = ["launch"] as const;
export type WorkerCall = (typeof workerCalls)[number];

/** Codes that a worker may use; anything else counts as a failed tool. */
export const workerCodes: readonly OperationalCode[] = [
  "cancelled",
  "file-not-found",
  "path-outside-workspace",
  "spec-invalid",
  "kernel-not-found",
  "tool-missing",
  "tool-failed",
  "worker-timeout",
  "worker-protocol",
  "walls-missing",
];
