import type { Settings } from "./settings";

/**
 * `initializationOptions` of the initialize request. The same `Settings` value is sent again, whole, as
 * `settings` of workspace/didChangeConfiguration.
 */
export interface InitializationOptions {
  readonly protocolVersion: string;
  /** False in VS Code's Restricted Mode: nothing of the workspace may be run or compiled. */
  readonly trusted: boolean;
  readonly settings: Settings;
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
