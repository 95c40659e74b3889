import { l10n } from "vscode";
import type { Command } from "../command";

export const doctor: Command = {
  id: "kernelwright.doctor",
  runsCode: true,
  async run(parts) {
    const result = await parts.tasks.run(l10n.t("Looking for compilers, GPUs and models"), (token) =>
      parts.connection.request("kernelwright/doctor", {}, token),
    );
    if (result !== undefined) await parts.reports.showPage(l10n.t("Kernelwright doctor"), result.markdown);
  },
};
