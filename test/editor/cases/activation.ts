import { deepEqual, equal, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { EditorCase } from "../editor-case";
import { inWorkspace, lensArgument, lensesOf, ourExtension, show } from "../editor-window";

export const activationCases: readonly EditorCase[] = [
  {
    name: "the extension activates",
    run: async () => {
      await ourExtension().activate();
      equal(ourExtension().isActive, true);
    },
  },
  {
    name: "the commands of the manifest are registered, and no other of ours",
    run: async () => {
      const { contributes } = ourExtension().packageJSON as {
        readonly contributes: {
          readonly commands: readonly { readonly command: string }[];
          readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
        };
      };
      const views = Object.values(contributes.views).flatMap((each) => each.map(({ id }) => id));
      const registered = (await vscode.commands.getCommands(true)).filter(
        (command) =>
          command.startsWith("kernelwright.") && !views.some((view) => command.startsWith(`${view}.`)),
      );
      deepEqual(registered.toSorted(), contributes.commands.map(({ command }) => command).toSorted());
    },
  },
  {
    name: "a setting of the machine stands in the file that VS Code takes it from",
    run: () => {
      const told = vscode.workspace.getConfiguration("kernelwright").inspect<string>("sessionsFolder") as {
        readonly globalLocalValue?: string;
        readonly globalRemoteValue?: string;
      };
      const [own, other] =
        vscode.env.remoteName === undefined
          ? [told.globalLocalValue, told.globalRemoteValue]
          : [told.globalRemoteValue, told.globalLocalValue];
      deepEqual([typeof own, other], ["string", undefined]);
      return Promise.resolve();
    },
  },
  {
    name: "sources have the languages that lenses, specs and highlighting go by",
    run: async () => {
      const documents = await Promise.all(
        ["transpose.cu", "softmax.py", "transpose.cu.kernel.json"].map((path) =>
          vscode.workspace.openTextDocument(inWorkspace(path)),
        ),
      );
      const languages = documents.map(({ languageId }) => languageId);
      deepEqual(languages, ["cuda-cpp", "python", "jsonc"]);
      const ptx = await vscode.workspace.openTextDocument({ language: "ptx", content: "ret;\n" });
      equal(ptx.languageId, "ptx");
    },
  },
  {
    name: "lenses stand over the kernels of a CUDA and of a Triton file, trusted or not",
    run: async () => {
      for (const path of ["transpose.cu", "softmax.py"]) {
        const { document } = await show(path);
        await lensArgument(document, "Optimize");
        const lenses = await lensesOf(document);
        const titles = lenses.map(({ title }) => title).join(" | ");
        for (const expected of ["Optimize", "Check", "Profile"])
          ok(titles.includes(expected), `${path}: ${titles}`);
        ok(
          lenses.every(({ line }) => /__global__|def |@triton/.test(document.lineAt(line).text)),
          `${path}: ${JSON.stringify(lenses)}`,
        );
      }
    },
  },
  {
    name: "lenses stand over a kernel in a header of C++, and none over C++ without one",
    run: async () => {
      const [device, host] = [inWorkspace("halve.hpp"), inWorkspace("doubled.hpp")];
      await vscode.workspace.fs.writeFile(
        device,
        Buffer.from("__global__ void halve(float* x) { *x /= 2; }\n"),
      );
      await vscode.workspace.fs.writeFile(host, Buffer.from("inline int doubled(int x) { return 2 * x; }\n"));
      try {
        const { document } = await show("halve.hpp");
        await lensArgument(document, "Optimize");
        deepEqual(await lensesOf((await show("doubled.hpp")).document), []);
      } finally {
        await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
        for (const uri of [device, host]) await vscode.workspace.fs.delete(uri);
      }
    },
  },
];
