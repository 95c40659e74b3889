import { l10n, window } from "vscode";
import type { ListingView } from "../../../../server/protocol/views";
import { kernelFrom } from "../arguments";
import type { Command } from "../command";
import { settleUnsaved } from "./unsaved";

/** What each form is for, in the menu. */
const purposes: Readonly<Record<string, string>> = {
  sass: l10n.t("what the GPU runs, with stalls and scoreboards"),
  ptx: l10n.t("what the compiler hands to the assembler"),
  llir: l10n.t("what Triton hands to LLVM"),
  ttgir: l10n.t("after layouts were chosen"),
  ttir: l10n.t("before layouts are chosen"),
};

/** Shows the code of a kernel beside its source, their lines linked. */
export const showMachineCode: Command = {
  id: "kernelwright.showMachineCode",
  runsCode: true,
  async run(parts, argument) {
    const kernel = await kernelFrom(parts, argument);
    if (kernel === undefined || !(await settleUnsaved(kernel.uri))) return;
    const code = await parts.tasks.run(l10n.t("Compiling {0}", kernel.kernel), (token) =>
      parts.connection.request("kernelwright/machineCode", kernel, token),
    );
    const listing = code && (await chooseListing(code.listings));
    if (code !== undefined && listing !== undefined) await parts.machineCode.show(kernel, code, listing);
  },
};

async function chooseListing(listings: readonly ListingView[]): Promise<ListingView | undefined> {
  const several = new Set(listings.map(({ kernel }) => kernel)).size > 1;
  const items = listings.map((listing) => ({
    label: several ? `${listing.title} · ${listing.kernel}` : listing.title,
    description: purposes[listing.form] ?? "",
    listing,
  }));
  const chosen = await window.showQuickPick(items, {
    placeHolder: l10n.t("Which form of the code?"),
    matchOnDescription: true,
  });
  return chosen?.listing;
}
