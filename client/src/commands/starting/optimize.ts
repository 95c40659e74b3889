import type { KernelParams } from "../../../../server/protocol/requests";
import { startedWith } from "../../starting/start-rows";
import { kernelFrom } from "../arguments";
import type { Command, Parts } from "../command";
import { followRun } from "../running/follow-run";
import { settleUnsaved } from "../running/unsaved";

/** Begins a run, as remembered for this workspace. */
export const optimize: Command = {
  id: "kernelwright.optimize",
  runsCode: true,
  async run(parts, argument) {
    const kernel = await kernelFrom(parts, argument);
    if (kernel !== undefined) await startRun(parts, kernel);
  },
};

/**
 * Begins a run as remembered for this workspace and shows its row, whose tooltip says what was remembered.
 * `messages`: for the model, before its first turn. Gives undefined when the user steps back.
 */
export async function startRun(
  parts: Parts,
  kernel: KernelParams,
  messages: readonly string[] = [],
): Promise<string | undefined> {
  if (!(await settleUnsaved(kernel.uri))) return undefined;
  const chosen = parts.options.forFile(kernel.uri);
  const { sessionId } = await parts.connection.request("kernelwright/optimize", {
    uri: kernel.uri,
    kernel: kernel.kernel,
    ...chosen,
    ...(messages.length > 0 && { messages }),
  });
  parts.sessions.noteStart(sessionId, startedWith(chosen));
  await followRun(parts, sessionId);
  return sessionId;
}
