import { deepEqual, equal, match } from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { eventually } from "../../harness/eventually";
import type { EditorCase } from "../editor-case";
import { inWorkspace, lensArgument, show } from "../editor-window";

/** Nothing says that `order` holds each place once. */
const scatter = `__global__ void scatter(const float *in, const int *order, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[order[i]] = in[i];
}
`;

/** As Set up writes it, with few elements. */
const scatterSpec = `{
  "version": 1,
  "kernel": "scatter.cu::scatter",
  "launch": { "grid": ["n / 32"], "block": [32],
    "arguments": ["in", "order", "out", { "value": "n", "dtype": "int32" }] },
  "inputs": {
    "in": { "dtype": "float32", "shape": ["n"] },
    "order": { "dtype": "int32", "shape": ["n"],
      // unknown: order leads into out: any number of its range is a guess.
      "distribution": { "kind": "range", "low": 0, "high": "n - 1" } },
    "out": { "dtype": "float32", "shape": ["n"] }
  },
  "outputs": { "out": { "dtype": "float32", "shape": ["n"] } },
  "shapes": [{ "sizes": { "n": 4096 } }],
  "reference": "baseline",
  "origins": { "inputs.order.distribution": "guessed" }
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

function rowOf(found: vscode.Diagnostic | undefined): readonly unknown[] {
  return [found?.code, found?.severity, (found?.range.start.line ?? -1) + 1];
}

/** Our quick fixes at a diagnostic. */
async function quickFixes(
  uri: vscode.Uri,
  at: vscode.Diagnostic | undefined,
): Promise<readonly vscode.CodeAction[]> {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    uri,
    at?.range,
  );
  return actions.filter(({ title }) => /^(Keep|Set up) /.test(title));
}

export const setUpCases: readonly EditorCase[] = [
  {
    name: "a failure under a guess is no error of the kernel; who keeps the guess is shown the line",
    trusted: true,
    run: async () => {
      writeFileSync(inWorkspace("scatter.cu").fsPath, scatter);
      writeFileSync(inWorkspace("scatter.cu.kernel.json").fsPath, scatterSpec);
      const { document } = await show("scatter.cu");
      const kernel = await lensArgument(document, "Check");
      await vscode.commands.executeCommand("kernelwright.check", kernel);
      const [told] = await diagnosticsOf(document.uri);
      deepEqual(rowOf(told), ["guessed-workload", vscode.DiagnosticSeverity.Information, 1]);
      match(told?.message ?? "", /With what was guessed it is: wrong on .* race in global memory/);
      deepEqual(
        (await quickFixes(document.uri, told)).map(({ title }) => title),
        ["Set up scatter"],
      );
      await vscode.commands.executeCommand("kernelwright.createSpec", kernel);
      const spec = await vscode.workspace.openTextDocument(inWorkspace("scatter.cu.kernel.json"));
      const [guess] = await diagnosticsOf(spec.uri);
      deepEqual(rowOf(guess), ["guessed", vscode.DiagnosticSeverity.Warning, 10]);
      const [keep] = await quickFixes(spec.uri, guess);
      equal(keep?.title, "Keep what was guessed: inputs.order.distribution");
      equal(await vscode.workspace.applyEdit(keep?.edit ?? new vscode.WorkspaceEdit()), true);
      await spec.save();
      equal(spec.getText().includes("guess"), false);
      await vscode.commands.executeCommand("kernelwright.check", kernel);
      const after = await eventually({
        what: "the finding on its line",
        read: () => Promise.resolve(vscode.languages.getDiagnostics(document.uri)),
        accept: ([first]) => first?.code === "global-race",
      });
      deepEqual(rowOf(after[0]), ["global-race", vscode.DiagnosticSeverity.Error, 3]);
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
