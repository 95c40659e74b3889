import { deepEqual, equal, match } from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { eventually } from "../../harness/eventually";
import type { EditorCase } from "../editor-case";
import { inWorkspace, lensArgument, show, textBecomes } from "../editor-window";

/** Nothing in the text says that `order` holds each place once: what it is drawn from is a guess. */
const scatter = `__global__ void scatter(const float *in, const int *order, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[order[i]] = in[i];
}
`;

const program = `__global__ void twice(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
int main() {
  float *x;
  cudaMalloc(&x, 4000);
  cudaMemset(x, 1, 4000);
  twice<<<8, 128>>>(x, 1000);
  return cudaDeviceSynchronize();
}
`;

async function diagnosticsOf(uri: vscode.Uri): Promise<readonly vscode.Diagnostic[]> {
  return eventually({
    what: `a diagnostic of ${uri.path}`,
    read: () => Promise.resolve(vscode.languages.getDiagnostics(uri)),
    accept: (all) => all.length > 0,
  });
}

function rowsOf(found: readonly vscode.Diagnostic[]): readonly unknown[] {
  return found.map(({ code, severity, range }) => [code, severity, range.start.line + 1]);
}

/** Titles of the quick fixes at a diagnostic; carries out the one that is named. */
async function quickFixes(uri: vscode.Uri, at: vscode.Range, chosen?: string): Promise<readonly string[]> {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    uri,
    at,
  );
  const own = actions.filter(({ title }) => /^(Keep|Set up|Check against|Use) ?/.test(title));
  const edit = own.find(({ title }) => title === chosen)?.edit;
  if (edit) equal(await vscode.workspace.applyEdit(edit), true);
  return own.map(({ title }) => title);
}

export const setUpCases: readonly EditorCase[] = [
  {
    name: "a failure under a guess is no error of the kernel; Set up shows the guess, and a quick fix settles it",
    trusted: true,
    run: async () => {
      writeFileSync(inWorkspace("scatter.cu").fsPath, scatter);
      const { document } = await show("scatter.cu");
      const kernel = await lensArgument(document, "Check");
      await vscode.commands.executeCommand("kernelwright.check", kernel);
      const told = await diagnosticsOf(document.uri);
      deepEqual(rowsOf(told), [["guessed-workload", vscode.DiagnosticSeverity.Information, 1]]);
      match(
        told[0]?.message ?? "",
        /With what was guessed it is: wrong on .* race [\s\S]*\norder leads into out|inputs\.order\.distribution/,
      );
      const there = told[0]?.range ?? new vscode.Range(0, 0, 0, 0);
      deepEqual(await quickFixes(document.uri, there), ["Set up scatter"]);
      await vscode.commands.executeCommand("kernelwright.createSpec", kernel);
      const spec = await vscode.workspace.openTextDocument(inWorkspace("scatter.cu.kernel.json"));
      const marks = await diagnosticsOf(spec.uri);
      const guess = marks.find(({ code }) => code === "guessed");
      equal(guess?.severity, vscode.DiagnosticSeverity.Warning);
      match(spec.lineAt(guess?.range.start.line ?? 0).text, /"distribution"/);
      const keep = "Keep what was guessed: inputs.order.distribution";
      await quickFixes(spec.uri, guess?.range ?? there, keep);
      await textBecomes(spec, "the spec without its guess", (text) => !text.includes("guessed"));
      await spec.save();
    },
  },
  {
    name: "Record runs a program and writes the kernel spec of what it launches",
    trusted: true,
    run: async () => {
      writeFileSync(inWorkspace("twice.cu").fsPath, program);
      const { document } = await show("twice.cu");
      await vscode.commands.executeCommand("kernelwright.record", await lensArgument(document, "Record"));
      equal(existsSync(inWorkspace("twice.cu.twice.kernel.json").fsPath), true);
      await lensArgument(document, "Kernel spec");
    },
  },
];
