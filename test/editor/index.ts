import { writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { activationCases } from "./cases/activation";
import { findingCases } from "./cases/findings";
import { fileCases } from "./cases/review-files";
import { reviewCases } from "./cases/review";
import { amissCases } from "./cases/review-amiss";
import { runCases } from "./cases/runs";
import { setUpCases } from "./cases/set-up";
import { trustCases } from "./cases/trust";
import type { CaseResult, EditorCase } from "./editor-case";

/** All cases, in the order in which they run; they share one window. */
const CASES: readonly EditorCase[] = [
  ...activationCases,
  ...trustCases,
  ...runCases,
  ...findingCases,
  ...setUpCases,
  // Before the reviews, the last of which rejects the proposal that all of them look at.
  ...amissCases,
  ...fileCases,
  ...reviewCases,
];

/** How long one case may take, in milliseconds. */
const CASE_LIMIT_MS = 240_000;

/**
 * Called by the extension host of VS Code. Results go to the file that KERNELWRIGHT_EDITOR_RESULTS names;
 * with KERNELWRIGHT_EDITOR_CASES only the cases named there, one a line, run.
 */
export async function run(): Promise<void> {
  const path = process.env.KERNELWRIGHT_EDITOR_RESULTS;
  if (!path)
    throw new Error(
      "KERNELWRIGHT_EDITOR_RESULTS is not set: start this suite by `npm test -- --only editor`",
    );
  const chosen = process.env.KERNELWRIGHT_EDITOR_CASES?.split("\n");
  const results: CaseResult[] = [];
  for (const editorCase of CASES) {
    if (chosen && !chosen.includes(editorCase.name)) continue;
    if (editorCase.trusted !== undefined && editorCase.trusted !== vscode.workspace.isTrusted) continue;
    results.push(await resultOf(editorCase));
    writeFileSync(path, JSON.stringify(results, null, 2));
  }
}

async function resultOf({ name, run: check }: EditorCase): Promise<CaseResult> {
  const started = performance.now();
  const before = process.cpuUsage();
  const elapsed = () => {
    const milliseconds = Math.round(performance.now() - started);
    const { user, system } = process.cpuUsage(before);
    return { milliseconds, processorMilliseconds: Math.round((user + system) / 1000) };
  };
  try {
    await Promise.race([check(), expiry()]);
    return { name, ...elapsed() };
  } catch (error) {
    return {
      name,
      ...elapsed(),
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

async function expiry(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`took longer than ${CASE_LIMIT_MS / 1000} s`)), CASE_LIMIT_MS).unref();
  });
}
