import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it, type TestContext } from "vitest";
import { exportSession } from "../../../server/core/trajectory/export/registry";
import { cachedFolder } from "../../../server/setup/support/cached-folder.mjs";
import { inCache } from "../../../server/setup/support/layout.mjs";
import { systemIdentity } from "../../../server/host/system/identity";
import { readExportInput } from "../../../server/host/storage/export-input";
import { exampleStream, streams } from "../../core/trajectory/event-streams";
import { exportInput } from "../../core/trajectory/export/export-input";
import { endEvent, startEvent, unlabelled, withStore } from "./session-fixtures";

const run = promisify(execFile);
const packageVersion = "1.8.0";
const program = [
  "import sys, atif",
  "for path in sys.argv[1:]:",
  "    atif.Trajectory.model_validate_json(open(path, encoding='utf-8').read())",
  "print('valid', len(sys.argv) - 1)",
].join("\n");

/**
 * Interpreter with the Python package `atif`, or why there is none: an old Python, or no way to the package
 * index.
 */
async function interpreterWithAtif(): Promise<
  { readonly interpreter: string } | { readonly missing: string }
> {
  const base = process.env["KERNELWRIGHT_PYTHON"] ?? "python3";
  const folder = inCache(`atif-${packageVersion}`);
  const interpreter = join(folder, "bin", "python");
  try {
    await cachedFolder(folder, async () => {
      await run(base, ["-m", "venv", folder]);
      await run(interpreter, [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--retries",
        "1",
        "--timeout",
        "10",
        `atif==${packageVersion}`,
      ]);
    });
    return { interpreter };
  } catch (error) {
    return {
      missing: `the Python package atif ${packageVersion} cannot be installed here (${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)})`,
    };
  }
}

async function expectValid(context: TestContext, texts: readonly string[]): Promise<void> {
  const found = await interpreterWithAtif();
  if ("missing" in found) {
    context.skip(found.missing);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "kernelwright-atif-"));
  try {
    const paths = await Promise.all(
      texts.map(async (text, index) => {
        const path = join(folder, `${index}.json`);
        await writeFile(path, text);
        return path;
      }),
    );
    const { stdout } = await run(found.interpreter, ["-c", program, ...paths]);
    expect(stdout.trim()).toBe(`valid ${texts.length}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("the Python package for ATIF accepts", () => {
  it("the example, a session of the store, and thirty arbitrary sessions in both versions", async (context) => {
    const texts: string[] = [];
    for (const stream of [exampleStream, ...fc.sample(streams, { numRuns: 30, seed: 20261 })]) {
      for (const format of ["atif-1.8", "atif-1.7"])
        texts.push((await exportSession(exportInput(stream), format)).text);
    }
    await withStore(async (store, root) => {
      store.learnSecret("my-secret-key");
      const log = await store.create();
      const tree = await log.snapshot({ "samples/transpose.cu": "// one\n" }, null);
      await log.append(startEvent(tree));
      await log.append({
        type: "message.user",
        actor: { kind: "user" },
        data: { message: "m1", text: await log.storeText(`${root}/samples/transpose.cu `.repeat(400)) },
      });
      await log.append(endEvent);
      await log.close();
      const made = await exportSession(
        await readExportInput({ store, annotations: unlabelled }, log.sessionId, {
          workspaceFolder: root,
          productVersion: "1",
          identity: systemIdentity,
        }),
        "atif-1.8",
      );
      expect(made.problems).toEqual([]);
      expect(made.text).not.toContain(root);
      expect(made.text).toContain("<workspace>/samples/transpose.cu");
      texts.push(made.text);
    });
    await expectValid(context, texts);
  });
});
