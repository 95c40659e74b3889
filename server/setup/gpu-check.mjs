/**
 * `npm run gpu:check`: on a machine with an NVIDIA GPU, checks and times the CUDA samples there, lets the
 * rulebook mend the one with bank conflicts (an order that every GPU keeps), and writes `docs/hardware.md`.
 * The option `--gpu N` takes another GPU than number 0. Ends with 3 where there is no GPU, with 1 where
 * something was wrong.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBundles } from "./steps/bundle.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { ensurePython } from "./steps/python.mjs";
import { ensureSystem } from "./steps/system.mjs";
import { hardwareReport } from "./support/hardware-report.mjs";
import { inRepository } from "./support/layout.mjs";
import { main, options } from "./support/main.mjs";
import { launch } from "./support/processes.mjs";
import { createReporter } from "./support/reporter.mjs";

const CHECKED = ["vector_add.cu", "softmax.cu", "matmul.cu", "transpose.cu"];
/** Its rewrite has to be faster: without bank conflicts, with the same traffic. */
const MENDED = "transpose.cu";
const NOTHING_TO_DO = 3;

main(async () => {
  const { values } = options("npm run gpu:check -- [--gpu N]", {
    options: { gpu: { type: "string", default: "0" } },
  });
  const found = spawnSync("nvidia-smi", ["-L"], { encoding: "utf8" });
  if (found.status !== 0 || !found.stdout.includes("GPU ")) {
    const said = `${found.stdout ?? ""}${found.stderr ?? ""}`.trim() || "there is no nvidia-smi";
    process.stderr.write(`gpu:check needs an NVIDIA GPU with its driver: ${said}. Nothing was measured.\n`);
    return NOTHING_TO_DO;
  }
  const reporter = createReporter();
  await ensurePackages(reporter);
  await ensureSystem(reporter, ["python", "cuda"]);
  const python = await ensurePython(reporter);
  await ensureBundles(reporter);
  const target = `gpu:${values.gpu}`;
  const sessions = mkdtempSync(join(tmpdir(), "kernelwright-gpu-check-"));
  const env = { KERNELWRIGHT_PYTHON: python.interpreter, KERNELWRIGHT_SESSIONS: sessions };
  try {
    const results = [];
    for (const file of CHECKED)
      results.push(resultOf(`check ${file}`, await ask(["check", file], target, env)));
    results.push(resultOf(`optimize ${MENDED}`, await ask(["optimize", MENDED], target, env)));
    return conclude(results, target);
  } finally {
    rmSync(sessions, { recursive: true, force: true });
  }
});

/**
 * The object that a command ends with.
 * @param {string[]} command
 * @param {string} target
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<any>}
 */
function ask(command, target, env) {
  const args = [inRepository("dist", "kernelwright.js"), ...command, "--target", target, "--json"];
  return new Promise((resolve, reject) => {
    const stdio = /** @type {const} */ (["ignore", "pipe", "inherit"]);
    const child = launch(process.execPath, args, { cwd: inRepository("samples"), env, stdio: [...stdio] });
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk) => (output += chunk));
    child.once("error", reject);
    child.once("close", () => {
      const last = output.trim().split("\n").at(-1) ?? "";
      resolve(last.startsWith("{") ? JSON.parse(last) : { problem: "it ended without a result" });
    });
  });
}

/**
 * @param {string} what
 * @param {any} answer
 * @returns {import("./support/hardware-report.mjs").Result}
 */
function resultOf(what, { verdict, outcome, reason, error, problem }) {
  const kind = outcome ?? verdict?.kind ?? "failed";
  const told = reason ?? error?.message ?? error ?? problem;
  return {
    what,
    kind,
    ...(verdict?.measured && { measured: verdict.measured }),
    ...(told && { problem: String(told) }),
  };
}

/**
 * @param {import("./support/hardware-report.mjs").Result[]} results
 * @param {string} target
 */
function conclude(results, target) {
  const compiler = execFileSync(process.env["KERNELWRIGHT_NVCC"] ?? "nvcc", ["--version"], {
    encoding: "utf8",
  });
  const { version } = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
  const report = hardwareReport(results, {
    date: new Date().toISOString().slice(0, 10),
    compiler: `nvcc ${/V[\d.]+/.exec(compiler)?.[0] ?? "?"}`,
    product: version,
    target,
  });
  for (const { what, kind, measured, problem } of results)
    process.stdout.write(
      `${what}: ${kind}${measured ? ", measured" : ""}${problem ? ` (${problem})` : ""}\n`,
    );
  if (report === undefined) {
    process.stderr.write("nothing could be measured; docs/hardware.md was not written\n");
    return 1;
  }
  writeFileSync(inRepository("docs", "hardware.md"), report);
  process.stdout.write("docs/hardware.md is written\n");
  const isRight = results.every(
    ({ kind, measured }) => measured && (kind === "correct" || kind === "improved"),
  );
  if (!isRight) process.stderr.write("not all of it came out as it has to: see above\n");
  return isRight ? 0 : 1;
}
