import {
  type ConfigurationScope,
  ConfigurationTarget,
  window,
  workspace,
  type WorkspaceConfiguration,
} from "vscode";
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

/** The settings of each folder by its address, where the workspace has several. */
export function readFolderSettings(): Readonly<Record<string, Settings>> {
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length < 2) return {};
  return Object.fromEntries(folders.map(({ uri }) => [uri.toString(), readSettings(uri)]));
}

/** The settings for the file that is looked at: its folder may have its own. */
export function settingsHere(): Settings {
  return readSettings(window.activeTextEditor?.document.uri);
}

/** Lists add up: what a workspace says takes nothing away from what the user says. */
function everyValue(configuration: WorkspaceConfiguration, key: string): readonly string[] {
  const found = configuration.inspect<readonly string[]>(key);
  const lists = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue];
  return [...new Set(lists.flatMap((list) => list ?? []))].filter((each) => typeof each === "string");
}

/** Writes one setting where it is set for the folder looked at or this workspace, else for the user. */
export async function writeSetting<Key extends keyof Settings>(
  key: Key,
  value: Settings[Key],
): Promise<void> {
  const configuration = workspace.getConfiguration(section, window.activeTextEditor?.document.uri);
  await configuration.update(key, value, placeOf(configuration, key));
}

function placeOf(configuration: WorkspaceConfiguration, key: keyof Settings): ConfigurationTarget {
  const found = configuration.inspect(key);
  const hasFolders = (workspace.workspaceFolders ?? []).length > 1;
  if (hasFolders && found?.workspaceFolderValue !== undefined) return ConfigurationTarget.WorkspaceFolder;
  return found?.workspaceValue === undefined ? ConfigurationTarget.Global : ConfigurationTarget.Workspace;
}

/** True when an event of the workspace concerns these settings. */
export function concernsSettings(event: { affectsConfiguration(name: string): boolean }): boolean {
  return event.affectsConfiguration(section);
}
