import { l10n } from "vscode";
import type { KernelParams, OptimizeParams } from "../../../../server/protocol/requests";
import { startedWith } from "../../starting/start-rows";
import { hasTexts, kernelFrom } from "../arguments";
import type { Command, Parts } from "../command";
import { followRun } from "../running/follow-run";
import { settleUnsaved } from "../running/unsaved";

/** Begins a run, as remembered for this workspace, or by the strategy that its argument names. */
export const optimize: Command = {
  id: "kernelwright.optimize",
  runsCode: true,
  async run(parts, argument) {
    const kernel = await kernelFrom(parts, argument);
    const strategy = hasTexts(argument, "strategy") ? argument.strategy : undefined;
    if (kernel !== undefined) await startRun(parts, kernel, { ...(strategy && { strategy }) });
  },
};

/**
 * Begins a run as remembered for this workspace and shows its row, whose tooltip says what was remembered.
 * `messages`: for the model, before its first turn; `strategy`: for this run alone. Gives undefined when the
 * user steps back.
 */
export async function startRun(
  parts: Parts,
  kernel: KernelParams,
  { messages = [], strategy }: Pick<OptimizeParams, "messages" | "strategy"> = {},
): Promise<string | undefined> {
  if (!(await settleUnsaved(kernel.uri))) return undefined;
  const chosen = parts.options.forFile(kernel.uri);
  const asked = {
    uri: kernel.uri,
    kernel: kernel.kernel,
    ...chosen,
    ...(strategy !== undefined && { strategy }),
    ...(messages.length > 0 && { messages }),
  };
  // A kernel without a spec may be run for a while before there is anything to show.
  const title = l10n.t("Finding out how {0} is run", kernel.kernel);
  const begun = await parts.tasks.run(title, (token) =>
    parts.connection.request("kernelwright/optimize", asked, token),
  );
  if (begun === undefined) return undefined;
  const { sessionId } = begun;
  parts.sessions.noteStart(sessionId, startedWith(chosen));
  await followRun(parts, sessionId);
  return sessionId;
}
