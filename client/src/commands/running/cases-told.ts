import { type CancellationToken, l10n } from "vscode";
import type { KernelParams, Requests } from "../../../../server/protocol/requests";
import type { Parts } from "../command";

/** Checks or profiles a kernel under a title that says which case is run. Gives undefined when cancelled. */
export function withCasesTold<Method extends "kernelwright/check" | "kernelwright/profile">(
  { tasks, connection }: Pick<Parts, "tasks" | "connection">,
  title: string,
  { method, kernel }: { readonly method: Method; readonly kernel: KernelParams },
): Promise<Requests[Method][1] | undefined> {
  return tasks.run(title, async (token: CancellationToken, report) => {
    const told = connection.onNotification("kernelwright/caseBegun", (begun) => {
      if (begun.uri !== kernel.uri || begun.kernel !== kernel.kernel) return;
      report(l10n.t("case {0} of {1}, {2}", begun.number, begun.of, begun.shape));
    });
    try {
      return await connection.request(method, kernel, token);
    } finally {
      told.dispose();
    }
  });
}
