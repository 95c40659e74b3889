import { l10n, type QuickPickItem, QuickPickItemKind, window } from "vscode";
import type { ServerConnection } from "../../server/connection";
import { settingsHere, writeSetting } from "../../settings";
import { type ChoiceItem, offerChoices, pickFrom } from "../choices";
import type { Command } from "../command";
import { configuredHosts } from "./ssh-hosts";

/** A host may not begin with a dash: ssh would read it as an option. */
const hostPattern = /^[A-Za-z0-9_][A-Za-z0-9_.@:[\]-]*(?:\/gpu:\d{1,3})?(?:\/sm_\d{2,3}[a-z]?)?$/;

interface TargetItem extends QuickPickItem {
  readonly target: string;
}

export const selectTarget: Command = {
  id: "kernelwright.selectTarget",
  async run({ connection }) {
    const { target } = settingsHere();
    const next = await askForTarget(connection, target);
    if (next !== undefined) await writeSetting("target", next);
  },
};

/** Asks for a target; undefined when the user steps back. `target`: the one in use. */
export async function askForTarget(
  connection: ServerConnection,
  target: string,
): Promise<string | undefined> {
  const items = await itemsOf(connection, target);
  const isInUse = (item: QuickPickItem): boolean =>
    (isChoice(item) ? item.choice.id : "target" in item && item.target) === target;
  const now = items.find((item) => isChoice(item) && isInUse(item));
  const chosen = await pickFrom<QuickPickItem>(items, {
    placeHolder: l10n.t(
      "What should kernels be judged on? Now: {0}",
      now === undefined ? target : l10n.t("{0}, modelled", now.label),
    ),
    isInUse,
    later: withStates(connection, items, target),
  });
  if (chosen === undefined) return undefined;
  return isChoice(chosen) ? chosen.choice.id : targetOn(chosen, target);
}

/**
 * The rows of GPUs with how each is now and who is on it. Other machines are not asked unless they are in
 * use.
 */
async function withStates(
  connection: ServerConnection,
  items: readonly QuickPickItem[],
  inUse: string,
): Promise<readonly QuickPickItem[]> {
  return Promise.all(
    items.map(async (item): Promise<QuickPickItem> => {
      const target = "target" in item ? String(item.target) : "";
      if (!target.startsWith("gpu:") && !(target === inUse && target.includes("/gpu:"))) return item;
      const state = await connection.request("kernelwright/targetState", { target }).catch(() => undefined);
      // In a folder that is not trusted nothing is asked.
      return state === undefined ? item : { ...item, detail: state.text };
    }),
  );
}

/** Modelled GPUs, the hosts of the user's own ssh configuration, and the way to any other. */
async function itemsOf(connection: ServerConnection, target: string): Promise<readonly QuickPickItem[]> {
  const [virtual, hosts] = await Promise.all([
    offerChoices(connection, "targets", target),
    configuredHosts(),
  ]);
  const heading = (label: string): QuickPickItem => ({ label, kind: QuickPickItemKind.Separator });
  const item = (label: string, address: string): TargetItem => ({
    label,
    description: target === address ? l10n.t("{0} (in use)", address) : address,
    target: address,
  });
  const own = hosts.filter((host) => hostPattern.test(host)).map((host) => `ssh:${host}`);
  // A GPU of a host, or an architecture, that was typed.
  const typed = target.startsWith("ssh:") && !own.includes(target) ? [target] : [];
  return [
    heading(l10n.t("Modelled on this machine")),
    ...virtual,
    heading(l10n.t("Timed on a GPU of this machine")),
    item("$(circuit-board) GPU 0", "gpu:0"),
    ...(/^gpu:[1-9]/.test(target) ? [item("$(circuit-board) GPU in use", target)] : []),
    heading(l10n.t("Compiled on another machine over ssh")),
    ...[...typed, ...own].map((each) => item(`$(remote) ${each.slice("ssh:".length)}`, each)),
    { label: l10n.t("$(remote) Another machine …") },
  ];
}

async function targetOn(item: QuickPickItem, target: string): Promise<string | undefined> {
  return "target" in item ? (item as TargetItem).target : askHost(target);
}

function isChoice(item: QuickPickItem): item is ChoiceItem<"targets"> {
  return "choice" in item;
}

async function askHost(target: string): Promise<string | undefined> {
  const host = await window.showInputBox({
    title: l10n.t("Machine to compile on"),
    prompt: l10n.t(
      "A host of your own ssh configuration, with an architecture if it is not sm_80, or with a GPU of it: gpu-box, me@gpu-box/sm_90 or gpu-box/gpu:0",
    ),
    value: target.startsWith("ssh:") ? target.slice("ssh:".length) : "",
    validateInput: (value) =>
      hostPattern.test(value.trim()) ? undefined : l10n.t("Write HOST, HOST/sm_90 or HOST/gpu:0."),
  });
  return host === undefined ? undefined : `ssh:${host.trim()}`;
}
