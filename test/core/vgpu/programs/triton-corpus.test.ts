import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe as suite, expect, it } from "vitest";
import { compileKernel, parsePtx } from "../../../../server/core/vgpu/index";
import { casesFolder } from "../support";

const python = process.env["KERNELWRIGHT_PYTHON"];

/** What is refused in the kernels of a PTX file. */
function refusalsOf(text: string): string[] {
  const parsed = parsePtx(text);
  if (!parsed.ok) return [`PTX line ${parsed.problem.line}: ${parsed.problem.message}`];
  return [...parsed.value.functions.values()]
    .filter(({ isEntry }) => isEntry)
    .flatMap(({ name }) => {
      const compiled = compileKernel(parsed.value, name, { counters: false, detectors: false });
      return compiled.ok ? [] : [compiled.problem.reason];
    });
}

suite.runIf(python)("the corpus of Triton kernels", () => {
  it.each([80, 89])("compiles for sm_%s with no form that is refused", (architecture) => {
    const folder = mkdtempSync(join(tmpdir(), "kernelwright-triton-corpus-"));
    try {
      execFileSync(python ?? "", [join(casesFolder, "triton", "corpus.py"), folder, String(architecture)], {
        env: { ...process.env, TRITON_CACHE_DIR: join(folder, "cache"), PYTHONDONTWRITEBYTECODE: "1" },
        stdio: ["ignore", "ignore", "inherit"],
      });
      const files = readdirSync(folder).filter((name) => name.endsWith(".ptx"));
      expect(files.length).toBeGreaterThan(45);
      expect(
        files.flatMap((name) =>
          refusalsOf(readFileSync(join(folder, name), "utf8")).map((reason) => `${name}: ${reason}`),
        ),
      ).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
