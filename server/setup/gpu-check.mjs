/**
 * `npm run gpu:check`: on a machine with an NVIDIA GPU, checks and times the samples there, asks NVIDIA's tools and
 * Proton about two of them, lets the rulebook mend the one with bank conflicts (an order that every GPU keeps), and writes
 * `docs/hardware.md`. `--gpu N` takes another GPU than number 0. `--as-is` sets nothing up, for machines without a
 * network: `dist/` has to be built, and Python is `KERNELWRIGHT_PYTHON` or `python3`. Ends with 3 where there is
 * no GPU, with 1 where something was wrong.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBundles } from "./steps/bundle.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { ensurePython } from "./steps/python.mjs";
import { ensureSystem } from "./steps/system.mjs";
import { counterAgreement } from "./support/counter-agreement.mjs";
import { hardwarePage, hardwareReport } from "./support/hardware-report.mjs";
import { inRepository } from "./support/layout.mjs";
import { main, options } from "./support/main.mjs";
import { launch } from "./support/processes.mjs";
import { createReporter } from "./support/reporter.mjs";

const CHECKED = ["vector_add.cu", "softmax.cu", "matmul.cu", "transpose.cu", "softmax.py", "matmul.py"];
/** They are left out where no Python has torch for CUDA. */
const WITHOUT_TORCH = /needs a Python with Triton and with torch for CUDA/;
const LEFT_OUT = "left out";
/** Its rewrite has to be faster: without bank conflicts, with the same traffic. */
const MENDED = "transpose.cu";
/** What NVIDIA's tools and Proton are asked about. */
const PROFILED = ["softmax.cu", "softmax.py"];
const NOTHING_TO_DO = 3;

main(async () => {
  const { values } = options("npm run gpu:check -- [--gpu N] [--as-is]", {
    options: { gpu: { type: "string", default: "0" }, "as-is": { type: "boolean", default: false } },
  });
  const found = spawnSync("nvidia-smi", ["-L"], { encoding: "utf8" });
  if (found.status !== 0 || !found.stdout.includes("GPU ")) {
    const said = `${found.stdout ?? ""}${found.stderr ?? ""}`.trim() || "there is no nvidia-smi";
    process.stderr.write(`gpu:check needs an NVIDIA GPU with its driver: ${said}. Nothing was measured.\n`);
    return NOTHING_TO_DO;
  }
  const interpreter = values["as-is"] ? process.env["KERNELWRIGHT_PYTHON"] : await setUp();
  const target = `gpu:${values.gpu}`;
  const sessions = mkdtempSync(join(tmpdir(), "kernelwright-gpu-check-"));
  const env = { KERNELWRIGHT_PYTHON: interpreter, KERNELWRIGHT_SESSIONS: sessions };
  try {
    const results = [];
    for (const file of CHECKED)
      results.push(resultOf(`check ${file}`, await ask(["check", file], target, env)));
    results.push(resultOf(`optimize ${MENDED}`, await ask(["optimize", MENDED], target, env)));
    for (const file of PROFILED)
      results.push(resultOf(`profile ${file}`, await ask(["profile", file], target, env), file));
    return conclude(results, target);
  } finally {
    rmSync(sessions, { recursive: true, force: true });
  }
});

/**
 * Installs what the checks need.
 * @returns {Promise<string | undefined>} the worker's Python
 */
async function setUp() {
  const reporter = createReporter();
  await ensurePackages(reporter);
  await ensureSystem(reporter, ["python", "cuda"]);
  const python = await ensurePython(reporter);
  await ensureBundles(reporter);
  return python.interpreter;
}

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
 * @param {string} file the kernel's
 * @returns {import("./support/hardware-report.mjs").Result}
 */
function resultOf(what, { verdict, outcome, reason, error, problem, profiles, measuredBy }, file = "") {
  const told = reason ?? error?.message ?? error ?? problem;
  const kind = WITHOUT_TORCH.test(String(told)) ? LEFT_OUT : (outcome ?? verdict?.kind ?? "failed");
  return {
    what,
    kind,
    ...(verdict?.measured && { measured: verdict.measured }),
    ...(told && { problem: String(told) }),
    ...(measuredBy && {
      tools: measuredBy.map(toolText),
      agreement: agreementOf(profiles, measuredBy, file),
    }),
  };
}

/**
 * The virtual GPU's counters beside ncu's.
 * @param {any[]} profiles
 * @param {any[]} measuredBy
 * @param {string} file
 */
function agreementOf(profiles, measuredBy, file) {
  const ncu = measuredBy.find(({ output }) => output.tool === "ncu");
  if (!ncu) return [];
  const counted = profiles.flatMap(({ lines }) =>
    lines.map((/** @type {any} */ { counters }) => ({ file: counters.file, line: counters.line, counters })),
  );
  return counterAgreement(counted, ncu.output.report.lines, file);
}

/** What a tool found, by its name. @type {Record<string, (report: any) => string>} */
const FOUND = {
  ncu: ({ launches, lines }) => `${launches.length} launches, ${lines.length} source lines`,
  proton: ({ kernels, lines }) => `${kernels.length} kernels, ${lines.length} source lines`,
  "compute-sanitizer": ({ summaries }) => summaries.join("; "),
};

/**
 * What one of the tools came to, in a sentence.
 * @param {any} tool
 */
function toolText({ name, version, output }) {
  if (output.tool === "none")
    return `${name}: ${output.refusals.map((/** @type {any} */ { means }) => means).join("; ")}`;
  return `${name} ${version}: ${FOUND[output.tool]?.(output.report)}`;
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
  const page = inRepository("docs", "hardware.md");
  const before = existsSync(page) ? readFileSync(page, "utf8") : "";
  writeFileSync(page, hardwarePage(before, report));
  process.stdout.write("docs/hardware.md is written\n");
  const isRight = results.every(
    ({ kind, measured }) => kind === LEFT_OUT || (measured && (kind === "correct" || kind === "improved")),
  );
  if (!isRight) process.stderr.write("not all of it came out as it has to: see above\n");
  return isRight ? 0 : 1;
}
