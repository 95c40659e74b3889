import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { referenceEntries } from "../../../server/core/reference/tables";
import { findNvcc } from "../../../server/host/toolchain/find-nvcc";
import { parametersIn } from "../../../server/host/lsp/views/reference-text";

const run = promisify(execFile);
const python = process.env["KERNELWRIGHT_PYTHON"] ?? "python3";

/** `f` as a function of these types; a template's `T` is float. */
function asFunction(name: string, signature: string): string {
  const result = signature.slice(0, signature.indexOf(` ${name}(`));
  const types = parametersIn(signature).map(({ name: parameter, span: [start, end] }) =>
    signature
      .slice(start, end)
      .replace(/\s*=.*$/s, "")
      .replace(new RegExp(`\\b${parameter}$`), ""),
  );
  return `static_cast<${result} (*)(${types.join(", ")})>(${name})`.replace(/\bT\b/g, "float");
}

/** Those whose address nobody can take. */
const notFunctions = new Set(["__assume", "__builtin_assume_aligned", "__cvta_generic_to_shared"]);

test("nvcc has each function of the tables with the signatures that they say", async () => {
  const entries = referenceEntries("cuda").filter(
    ({ name, kind, signatures = [] }) =>
      kind === "function" &&
      !notFunctions.has(name) &&
      !signatures.join().includes("T&") &&
      !signatures.join().includes("T func"),
  );
  const headers = ["cuda_pipeline_primitives.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_profiler_api.h"];
  const uses = entries.flatMap(({ name, signatures = [] }) =>
    signatures
      .filter((signature) => !signature.includes("..."))
      .map(
        (signature) =>
          `  using T${name}${signatures.indexOf(signature)} = decltype(${asFunction(name, signature)});`,
      ),
  );
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-reference-"));
  try {
    const file = join(folder, "uses.cu");
    const includes = headers.map((header) => `#include <${header}>`);
    writeFileSync(file, [...includes, "__global__ void uses() {", ...uses, "}", ""].join("\n"));
    const nvcc = await findNvcc({
      setting: "",
      environment: process.env,
      python,
      workerFolder: "server/worker",
      signal: AbortSignal.timeout(60_000),
    });
    const { stderr } = await run(nvcc, ["-arch=sm_80", "-ptx", "-o", join(folder, "uses.ptx"), file]).catch(
      (failed: { stderr: string }) => failed,
    );
    expect(stderr.split("\n").filter((line) => line.includes("error"))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const listsParameters = `
import inspect, json, sys, triton, triton.language as tl
for name in json.load(sys.stdin):
    module, member = name.split(".")
    found = getattr(tl if module == "tl" else triton, member)
    found = getattr(found, "fn", found)
    try:
        signature = inspect.signature(found.__init__ if inspect.isclass(found) else found)
    except ValueError:
        continue
    print(json.dumps([name, [p for p in signature.parameters if not p.startswith("_") and p != "self"]]))
`;

test("Triton has each function of the table with these parameters", async () => {
  const entries = referenceEntries("triton").filter(({ signatures }) => signatures !== undefined);
  const asked = run(python, ["-c", listsParameters]);
  asked.child.stdin?.end(JSON.stringify(entries.map(({ name }) => name)));
  const { stdout } = await asked;
  const found = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as [string, string[]]);
  const ours = found.map(([name]) => [
    name,
    parametersIn(entries.find((entry) => entry.name === name)?.signatures?.[0] ?? "").map(
      (each) => each.name,
    ),
  ]);
  expect(ours).toEqual(found);
  expect(found.length).toBeGreaterThan(90);
});
