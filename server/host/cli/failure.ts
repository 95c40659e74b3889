import type { OperationalError } from "../../core/base/operational-error";
import { paint, plain, reportLine, type Terminal } from "./terminal";

/** An error in words, with what to do about it. */
export function reportError(terminal: Terminal, error: OperationalError): void {
  reportLine(terminal, `${paint(terminal, "red", "error")}: ${plain(error.message)}`);
  if (error.remedy !== undefined) reportLine(terminal, plain(`  ${error.remedy}`));
}

/** The fields of `--json` where there is no result. */
export function failureFields(error: OperationalError, outcome: "failed" | "cancelled"): object {
  const { code, message, remedy } = error;
  return { outcome, error: { code, message, remedy: remedy ?? null } };
}
