import type { Settings } from "./settings";

/**
 * `initializationOptions` of the initialize request. The same values are sent again, whole, as `settings` and
 * `folderSettings` of workspace/didChangeConfiguration.
 */
export interface InitializationOptions {
  readonly protocolVersion: string;
  /** False in VS Code's Restricted Mode: nothing of the workspace may be run or compiled. */
  readonly trusted: boolean;
  readonly settings: Settings;
  /** Of each folder by its address, in a workspace of several. */
  readonly folderSettings?: Readonly<Record<string, Settings>>;
  /**
   * Texts in the user's language by their English ones, as `l10n/bundle.l10n.json` has them; none for
   * English.
   */
  readonly texts?: Readonly<Record<string, string>>;
}

/** What the server answers under `capabilities.experimental.kernelwright`. */
export interface ServerCapability {
  readonly protocolVersion: string;
}
