import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ensureBrowserEditor } from "../../server/setup/steps/editor.mjs";
import { startEditorServer } from "../../server/setup/support/editor-server.mjs";
import { inRepository, repository } from "../../server/setup/support/layout.mjs";
import { createReporter } from "../../server/setup/support/reporter.mjs";

/** What a VS Code for a test is started with. */
export interface EditorHostOptions {
  /** Absolute path of what is opened: a folder, or a `.code-workspace` file with several. */
  readonly workspace: string;
  /** Lets extensions have what the editor only proposes, where they ask for it. */
  readonly proposals?: boolean;
  /** Folders of other extensions that are installed beside it, as a user's are. */
  readonly beside?: readonly string[];
  /** User settings on top of those that make VS Code quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** False: the window opens in Restricted Mode, as with a folder that the user does not trust. */
  readonly trusted?: boolean;
  /** Added to the environment of VS Code and so of the extension and all that it starts. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Module that the extension host runs instead of an ordinary session; see editor-suite.ts. */
  readonly testsPath?: string;
}

/** VS Code that serves its window to a browser. */
export interface EditorHost {
  /** Address of the window. */
  readonly url: string;
  /** Folder with the settings, state and logs of this VS Code. */
  readonly data: string;
  /** What the server has logged, oldest first. */
  readonly log: readonly string[];
  /** Ends the server and with it the extension host and the language server. */
  stop(): Promise<void>;
}

interface Manifest {
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope: string }>> };
  };
}

/** Settings that keep what is not under test off the screen and the network. */
const QUIET_SETTINGS: Readonly<Record<string, unknown>> = {
  // As text that a test can read, not as a picture.
  "terminal.integrated.gpuAcceleration": "off",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "workbench.enableExperiments": false,
  "workbench.startupEditor": "none",
  "editor.cursorBlinking": "solid",
  "workbench.tips.enabled": false,
  "workbench.editor.empty.hint": "hidden",
  "git.openRepositoryInParentFolders": "never",
  "editor.minimap.enabled": false,
  // In a browser VS Code saves by itself after a second; on the desktop it does not.
  "files.autoSave": "off",
  "chat.commandCenter.enabled": false,
};

/** The user settings for a test's VS Code. */
export function settingsFor(options: EditorHostOptions): Record<string, unknown> {
  const trust =
    options.trusted === false
      ? { "security.workspace.trust.startupPrompt": "never" }
      : { "security.workspace.trust.enabled": false };
  return { ...QUIET_SETTINGS, ...trust, ...options.settings };
}

/**
 * Settings by the file that VS Code takes them from. A window that is apart from its server drops, sooner or
 * later, what belongs to the machine from the user's file.
 */
function settingsByFile(
  options: EditorHostOptions,
): Record<"settings" | "machineSettings", Record<string, unknown>> {
  const { contributes } = JSON.parse(readFileSync(inRepository("package.json"), "utf8")) as Manifest;
  const isOfMachine = (name: string): boolean =>
    contributes.configuration.properties[name]?.scope.startsWith("machine") === true;
  const all = Object.entries(settingsFor(options));
  return {
    settings: Object.fromEntries(all.filter(([name]) => !isOfMachine(name))),
    machineSettings: Object.fromEntries(all.filter(([name]) => isOfMachine(name))),
  };
}

/** Starts VS Code's server; its window is opened by navigating a browser to `url`. */
export async function startEditorHost(options: EditorHostOptions): Promise<EditorHost> {
  const vscode = await ensureBrowserEditor(createReporter());
  const data = mkdtempSync(join(tmpdir(), "kernelwright-editor-"));
  const log: string[] = [];
  for (const extension of options.beside ?? [])
    cpSync(extension, join(data, "extensions", basename(extension)), { recursive: true });
  const server = await startEditorServer({
    vscode,
    data,
    ...settingsByFile(options),
    sharesGroup: true,
    env: { ...options.environment },
    heard: (line: string) => log.push(line),
  });
  return {
    url: server.address({
      folder: options.workspace,
      payload: {
        extensionDevelopmentPath: repository,
        extensionTestsPath: options.testsPath,
        skipWelcome: "true",
        enableProposedApi: options.proposals === true ? "" : undefined,
      },
    }),
    data,
    log,
    stop: async () => {
      await server.stop();
      rmSync(data, { recursive: true, force: true, maxRetries: 30 });
    },
  };
}

/** A copy of samples/ in a folder of its own, so that no test touches the repository. */
export function copySamples(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-samples-"));
  if (existsSync(inRepository("samples"))) cpSync(inRepository("samples"), folder, { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 30 }) };
}
