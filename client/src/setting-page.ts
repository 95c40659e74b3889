import { env } from "vscode";

/**
 * The command that shows one of our settings in the editor of settings, with its argument. Where the window
 * is apart from its server, the settings of the machine stand on a page of their own, not among the user's.
 */
export function settingPage(name: string): { readonly command: string; readonly argument: unknown } {
  const query = `@id:${name}`;
  return env.remoteName === undefined
    ? { command: "workbench.action.openSettings", argument: query }
    : { command: "workbench.action.openRemoteSettings", argument: { query } };
}
