import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe as suite, expect, it } from "vitest";
import {
  type CompiledKernel,
  type PtxModule,
  compileKernel,
  parsePtx,
} from "../../../../server/core/vgpu/index";
import {
  type PlantedCase,
  type Variant,
  contents,
  plantedCuda,
  plantedFiles,
  plantedFolder,
  plantedTriton,
  readPlanted,
} from "./planted-cases";
import { MissedBugs, checkTwin, runWatched, verdictOnBug } from "./planted-check";
import { plantedResults } from "./planted-results";
import { casesFolder, compileText, readCase } from "../support";

const python = process.env["KERNELWRIGHT_PYTHON"];
const samplesFolder = join(casesFolder, "../../../samples");
const missed = new MissedBugs("missed.json");
const modules = new Map<Variant, PtxModule>();
const folder = mkdtempSync(join(tmpdir(), "kernelwright-planted-"));

/** All files in one translation unit, so that the compiler starts once for all of them. */
function compileTogether(name: string, files: readonly string[], flags: readonly string[]): PtxModule {
  const [unit, output] = [join(folder, `${name}.cu`), join(folder, `${name}.ptx`)];
  writeFileSync(unit, files.map((file) => `#include "${file}"\n`).join(""));
  execFileSync("nvcc", ["-ptx", "-arch=sm_80", "-lineinfo", ...flags, "-o", output, unit]);
  const parsed = parsePtx(readFileSync(output, "utf8"));
  if (!parsed.ok) throw new Error(`PTX line ${parsed.problem.line}: ${parsed.problem.message}`);
  return parsed.value;
}

beforeAll(() => {
  const files = plantedFiles().map((name) => join(plantedFolder, name));
  modules.set("bug", compileTogether("bug", files, []));
  modules.set("fixed", compileTogether("fixed", files, ["-DFIXED"]));
  if (!python) return;
  const scripts = join(plantedFolder, "triton");
  execFileSync(python, [join(scripts, "capture.py"), join(folder, "triton")], {
    env: { ...process.env, TRITON_CACHE_DIR: join(folder, "cache"), PYTHONDONTWRITEBYTECODE: "1" },
  });
});

afterAll(() => {
  missed.save();
  rmSync(folder, { recursive: true, force: true });
});

function compiled(name: Variant, kernel: string): CompiledKernel {
  const ptx = modules.get(name);
  const result = ptx && compileKernel(ptx, kernel, { counters: false, detectors: true });
  if (!result?.ok) throw new Error(`${kernel}: ${result?.problem.reason ?? "nothing was compiled"}`);
  return result.value;
}

const cases = plantedCuda();
const tritonCases = plantedTriton();
const byName = (list: readonly PlantedCase[]): (readonly [string, PlantedCase])[] =>
  list.map((planted) => [planted.kernel, planted]);

suite("planted bugs", () => {
  it("have each a name of its own, a marked line and known contents", () => {
    const all = [...cases, ...tritonCases];
    expect(all.length).toBeGreaterThanOrEqual(110);
    expect(new Set(all.map(({ kernel }) => kernel)).size).toBe(all.length);
    const hasLine = (kind: string): boolean => kind !== "invalid-launch" && kind !== "never-written";
    expect(
      all.filter(({ kernel, kind, lines }) => kernel === "" || (hasLine(kind) && lines.length === 0)),
    ).toEqual([]);
    const known = (name: string): boolean => all.some(({ kernel }) => kernel === name);
    expect([...Object.keys(plantedResults), ...missed.names].filter((name) => !known(name))).toEqual([]);
    const unknown = all.flatMap(({ kernel, arguments: list }) =>
      list.flatMap((entry) =>
        entry.kind === "memory" && entry.type !== "pointer" && entry.fill.length > 0 && !contents(entry)
          ? [`${kernel}: ${entry.fill.join(" ")}`]
          : [],
      ),
    );
    expect(unknown).toEqual([]);
  });

  it.each(byName(cases))("%s: the bug is named", (name, planted) => {
    missed.check(name, verdictOnBug(planted, runWatched(planted, "bug", compiled("bug", name)).outcome));
  });

  it.each(byName(cases))("%s: the twin is right and nothing is reported", (name, planted) => {
    checkTwin(planted, runWatched(planted, "fixed", compiled("fixed", name)));
  });
});

/** Code that Triton emitted: what is committed, and what the Triton that is installed emits now. */
const emitters: [string, string][] = [
  ["committed", join(plantedFolder, "triton", "captured")],
  ...(python ? [["emitted now", join(folder, "triton")] as [string, string]] : []),
];

suite.each(emitters)("planted bugs in Triton, %s", (_, place) => {
  const run = (planted: PlantedCase, variant: Variant): ReturnType<typeof runWatched> => {
    const name = `${planted.kernel}.${variant}`;
    const shared = (JSON.parse(readFileSync(join(place, "facts.json"), "utf8")) as Record<string, number>)[
      name
    ];
    return runWatched(
      planted,
      variant,
      compileText(readFileSync(join(place, `${name}.ptx`), "utf8"), planted.kernel, {
        detectors: true,
        triton: true,
      }),
      shared,
    );
  };

  it.each(byName(tritonCases))("%s: the bug is named", (name, planted) => {
    missed.check(name, verdictOnBug(planted, run(planted, "bug").outcome));
  });

  it.each(byName(tritonCases))("%s: the twin is right and nothing is reported", (_name, planted) => {
    checkTwin(planted, run(planted, "fixed"));
  });
});

/** Launches of kernels that have no bug, in the words of the planted ones' headers. */
const sound: readonly (readonly [file: string, kernel: string, header: string])[] = [
  [
    "vector_add.cu",
    "vector_add",
    "grid 2 | block 80 | a = float[1000] ramp | b = float[1000] ramp | out = float[1000] | n = 1000",
  ],
  [
    "softmax.cu",
    "softmax",
    "grid 5 | block 128 | x = float[1500] mixed | y = float[1500] | rows = 5 | columns = 300",
  ],
  [
    "transpose.cu",
    "transpose",
    "grid 3,2 | block 32,8 | input = float[4000] ramp | output = float[4000] | rows = 50 | columns = 80",
  ],
  [
    "matmul.cu",
    "matmul",
    "grid 3,2 | block 16,16 | a = float[800] mixed | b = float[1000] mixed | c = float[1280] | m = 32 | n = 40 | k = 25",
  ],
];
const soundTriton: readonly (readonly [file: string, kernel: string, header: string])[] = [
  [
    "add_f32",
    "add_kernel",
    "grid 5 | x = float[5000] ramp | y = float[5000] ramp | out = float[5000] | n = 5000",
  ],
  [
    "softmax_f32",
    "softmax_kernel",
    "grid 7 | y = float[4900] | x = float[4900] mixed | xs = 700 | ys = 700 | columns = 700",
  ],
  [
    "matmul_tf32",
    "matmul_kernel",
    "grid 2,2 | a = float[3200] mixed | b = float[3200] mixed | c = float[2500] | m = 50 | n = 50 | k = 64 | as = 64 | bs = 50 | cs = 50",
  ],
  ["histogram", "histogram_kernel", "grid 2 | x = int[1000] mixed | bins = int[256] zero | n = 1000"],
];

function soundCase(kernel: string, header: string): PlantedCase {
  const [planted] = readPlanted("", `//: none | ${header}\nKERNEL ${kernel}(`);
  if (!planted) throw new Error(`the launch of ${kernel} is not understood`);
  return planted;
}

suite("kernels without a bug", () => {
  it.each(sound)("%s: nothing is reported", (file, kernel, header) => {
    const ptx = compileTogether(`sample-${kernel}`, [join(samplesFolder, file)], []);
    const entry =
      [...ptx.functions.values()].find(({ name, isEntry }) => isEntry && name.includes(kernel))?.name ??
      kernel;
    const result = compileKernel(ptx, entry, { counters: false, detectors: true });
    if (!result.ok) throw new Error(result.problem.reason);
    const planted = soundCase(kernel, header);
    checkTwin(planted, runWatched(planted, "fixed", result.value));
  });

  it.each(soundTriton)("%s by Triton: nothing is reported", (file, kernel, header) => {
    const facts = JSON.parse(readCase("triton", "captured", `${file}.json`)) as {
      readonly warps: number;
      readonly sharedBytes: number;
    };
    const planted = soundCase(kernel, `block ${32 * facts.warps} | ${header}`);
    checkTwin(
      planted,
      runWatched(
        planted,
        "fixed",
        compileText(readCase("triton", "captured", `${file}.ptx`), kernel, { detectors: true, triton: true }),
        facts.sharedBytes,
      ),
    );
  });
});
