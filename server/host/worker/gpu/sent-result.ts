import { at } from "../../../core/base/known";
import type { LaunchJob, LaunchResult } from "./virtual-gpu";

type Done = Extract<LaunchResult, { kind: "done" }>;

/** A result on its way between threads. Buffers that hold what the job brought are left out. */
export type SentResult =
  | Exclude<LaunchResult, Done>
  | (Omit<Done, "buffers"> & { readonly buffers: readonly (Uint8Array | undefined)[] });

/**
 * What a thread sends of a result, and the memory that it hands over. Nobody else may use that memory: it
 * belongs to the result alone.
 */
export function toSend(
  job: LaunchJob,
  result: LaunchResult,
): { readonly sent: SentResult; readonly handedOver: readonly ArrayBuffer[] } {
  if (result.kind !== "done") return { sent: result, handedOver: [] };
  const buffers = result.buffers.map((content, index) =>
    content === at(job.buffers, index).bytes ? undefined : content,
  );
  const handedOver = buffers.flatMap((content) =>
    content?.buffer instanceof ArrayBuffer && content.byteLength === content.buffer.byteLength
      ? content.buffer
      : [],
  );
  return { sent: { ...result, buffers }, handedOver };
}

/** The result of a job as its thread had it. */
export function received(job: LaunchJob, sent: SentResult): LaunchResult {
  if (sent.kind !== "done") return sent;
  return { ...sent, buffers: sent.buffers.map((content, index) => content ?? at(job.buffers, index).bytes) };
}
