import { createHash } from "node:crypto";

/** sha256 of a text, as hex. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
