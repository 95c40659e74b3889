import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../server/setup/steps/bundle.mjs";
import { inRepository } from "../../server/setup/support/layout.mjs";
import type { CaseResult } from "../editor/editor-case";
import { launchBrowser } from "./browser";
import { desktopEditor, runOnDesktop } from "./desktop-editor";
import { type EditorHostOptions, startEditorHost } from "./editor-host";

/** How long the whole suite may take in one window, in milliseconds. */
const SUITE_LIMIT_MS = 600_000;

/** Name of the variable that tells the suite where to leave its results. */
const RESULTS_VARIABLE = "KERNELWRIGHT_EDITOR_RESULTS";

/**
 * Runs the cases of test/editor inside the extension host of a real VS Code: a desktop one where there is
 * one, else one that shows in Chromium.
 * @returns one result for each case
 * @throws Error with the logs of VS Code when the suite came to no end
 */
export async function runEditorSuite(options: EditorHostOptions): Promise<readonly CaseResult[]> {
  const testsPath = inRepository("out", "editor-tests", "index.js");
  await bundle({ source: "test/editor/index.ts", output: "out/editor-tests/index.js", external: ["vscode"] });
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-results-"));
  const results = join(folder, "results.json");
  const run = { ...options, testsPath, environment: { ...options.environment, [RESULTS_VARIABLE]: results } };
  try {
    const desktop = await desktopEditor();
    const log = desktop ? await runOnDesktop(desktop, run) : await runInBrowser(run);
    if (!existsSync(results))
      throw new Error(["The suite left no results. VS Code said:", ...log].join("\n"));
    return JSON.parse(readFileSync(results, "utf8")) as CaseResult[];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 30 });
  }
}

/** @returns what VS Code and the page said */
async function runInBrowser(options: EditorHostOptions): Promise<readonly string[]> {
  const host = await startEditorHost(options);
  try {
    const browser = await launchBrowser();
    try {
      const said: string[] = [];
      await browser.page.exposeFunction("codeAutomationLog", (type: string, args: unknown[]) =>
        said.push(`${type}: ${args.join(" ")}`),
      );
      const ended = new Promise<void>((resolve, reject) => {
        const limit = setTimeout(
          () =>
            reject(
              new Error(
                [`The suite did not end in ${SUITE_LIMIT_MS / 1000} s.`, ...said, ...browser.console].join(
                  "\n",
                ),
              ),
            ),
          SUITE_LIMIT_MS,
        );
        void browser.page.exposeFunction("codeAutomationExit", () => {
          clearTimeout(limit);
          resolve();
        });
      });
      await browser.page.goto(host.url);
      await ended;
      return [...said, ...browser.console, ...host.log];
    } finally {
      await browser.close();
    }
  } finally {
    await host.stop();
  }
}
