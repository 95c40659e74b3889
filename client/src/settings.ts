import { type ConfigurationScope, ConfigurationTarget, workspace, type WorkspaceConfiguration } from "vscode";
import { defaultSettings, type Settings } from "../../server/protocol/settings";

const section = "kernelwright";

/** The user's settings, each with its default where it is not set. */
export function readSettings(scope?: ConfigurationScope): Settings {
  const configuration = workspace.getConfiguration(section, scope);
  const entries = Object.entries(defaultSettings).map(([key, value]) => [
    key,
    Array.isArray(value) ? everyValue(configuration, key) : configuration.get<unknown>(key, value),
  ]);
  return Object.fromEntries(entries) as Settings;
}

/** Lists add up: what a workspace says takes nothing away from what the user says. */
function everyValue(configuration: WorkspaceConfiguration, key: string): readonly string[] {
  const found = configuration.inspect<readonly string[]>(key);
  const lists = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue];
  return [...new Set(lists.flatMap((list) => list ?? []))].filter((each) => typeof each === "string");
}

/** Writes one setting where it is already set for this workspace, else for the user. */
export async function writeSetting<Key extends keyof Settings>(
  key: Key,
  value: Settings[Key],
): Promise<void> {
  const configuration = workspace.getConfiguration(section);
  const inWorkspace = configuration.inspect(key)?.workspaceValue !== undefined;
  await configuration.update(
    key,
    value,
    inWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global,
  );
}

/** True when an event of the workspace concerns these settings. */
export function concernsSettings(event: { affectsConfiguration(name: string): boolean }): boolean {
  return event.affectsConfiguration(section);
}
