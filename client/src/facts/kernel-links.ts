import { l10n, MarkdownString } from "vscode";
import type { LensCommands } from "../../../server/protocol/commands";
import type { FactsView, RewriteView } from "../../../server/protocol/views";
import { escapeMarkdown } from "../markdown";

// Apart from the detail of a hover, which holds names of others: only these may name commands.

type Kernel = Pick<FactsView, "uri" | "kernel">;

/** What can be done about a kernel from the hover of one of its lines. */
export function kernelLinks({ uri, kernel }: Kernel): MarkdownString {
  const whole = { uri, kernel };
  return trusted([
    link(l10n.t("Roofline, memory and timeline"), "kernelwright.showPerformance", whole),
    link(l10n.t("Optimize"), "kernelwright.optimize", whole),
    link(l10n.t("Optimize with options…"), "kernelwright.optimizeWithOptions", whole),
  ]);
}

/** The rules that would write a line anew, each with a run that tries it alone. */
export function ruleLinks({ uri, kernel }: Kernel, rewrites: readonly RewriteView[]): MarkdownString {
  const links = rewrites.map(({ title, strategy }) =>
    link(title, "kernelwright.optimize", { uri, kernel, strategy }),
  );
  return trusted(links, `${l10n.t("Apply a rule, which is checked and shown as a proposal:")} `);
}

function trusted(links: readonly string[], before = ""): MarkdownString {
  const text = new MarkdownString(`${before}${links.join(" · ")}`);
  text.isTrusted = {
    enabledCommands: [
      "kernelwright.showPerformance",
      "kernelwright.optimize",
      "kernelwright.optimizeWithOptions",
    ],
  };
  return text;
}

function link<Name extends keyof LensCommands>(
  title: string,
  command: Name,
  argument: LensCommands[Name],
): string {
  const given = encodeURIComponent(JSON.stringify([argument]));
  return `[${escapeMarkdown(title)}](command:${command}?${given})`;
}
