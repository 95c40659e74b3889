import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { downloadAndUnzipVSCode, runTests, TestRunFailedError } from "@vscode/test-electron";
import { findProgram } from "../../server/setup/support/find-program.mjs";
import { inCache, repository } from "../../server/setup/support/layout.mjs";
import { type EditorHostOptions, settingsFor } from "./editor-host";

/** The oldest desktop VS Code that package.json admits, which is the one to download. */
const OLDEST = "1.100.3";

/**
 * The executable of a desktop VS Code to test in. VSCODE_DESKTOP names one, or says "download"; else it is
 * the one on PATH where there is a screen. Where the browser editor cannot be built (it is built on Linux
 * only) a desktop one is downloaded.
 */
export async function desktopEditor(): Promise<string | undefined> {
  const wish = process.env.VSCODE_DESKTOP ?? (process.platform === "linux" ? undefined : "download");
  if (wish === "download")
    return downloadAndUnzipVSCode({ version: OLDEST, cachePath: inCache("desktop-editor-download") });
  if (wish) return wish;
  const launcher = process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? findProgram("code") : undefined;
  return launcher && executableOf(launcher);
}

/**
 * The program behind the launcher script `bin/code` of an installed VS Code, by where the packages put it.
 */
function executableOf(launcher: string): string | undefined {
  const executable = join(dirname(dirname(realpathSync(launcher))), "code");
  return existsSync(executable) ? executable : undefined;
}

/**
 * Runs a tests module in a desktop window of its own.
 * @returns what is known of a failed run; the module leaves its results in a file
 */
export async function runOnDesktop(
  executable: string,
  options: EditorHostOptions,
): Promise<readonly string[]> {
  const data = mkdtempSync(join(tmpdir(), "kernelwright-desktop-"));
  mkdirSync(join(data, "User"));
  writeFileSync(join(data, "User", "settings.json"), JSON.stringify(settingsFor(options)));
  try {
    const code = await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: repository,
      extensionTestsPath: options.testsPath ?? "",
      extensionTestsEnv: { ...options.environment },
      launchArgs: [
        options.workspace,
        `--user-data-dir=${data}`,
        `--extensions-dir=${join(data, "extensions")}`,
        "--disable-gpu",
      ],
    });
    return [`desktop VS Code ended with ${code}`];
  } catch (error) {
    if (error instanceof TestRunFailedError) return [error.message];
    throw error;
  } finally {
    rmSync(data, { recursive: true, force: true, maxRetries: 30 });
  }
}
