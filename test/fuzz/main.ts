import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOptions } from "../harness/command-options";
import { type Ending, checkCubin, checkPtx } from "./check";
import { mutateCubin } from "./mutate-cubin";
import { mutatePtx } from "./mutate-ptx";
import { Random } from "./random";

/** Different failures after which a run ends. */
const mostFailures = 20;

const options = commandOptions({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    only: { type: "string" },
    /** Inputs to make and no more; with `--seed` this makes one failure again. */
    count: { type: "string" },
  },
}).values;

const root = process.cwd();

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(root, folder, name));
}

interface Target {
  readonly name: string;
  readonly ending: string;
  make(seed: number): { readonly data: string | Uint8Array; readonly run: () => Ending };
}

function targets(): readonly Target[] {
  const texts = filesIn("test/cases", ".ptx").map((path) => readFileSync(path, "utf8"));
  const cubins = filesIn("test/cases", ".cubin").map((path) => new Uint8Array(readFileSync(path)));
  const all: readonly Target[] = [
    {
      name: "ptx",
      ending: "ptx",
      make: (seed) => {
        const data = mutatePtx(texts, new Random(seed));
        return { data, run: () => checkPtx(data, seed) };
      },
    },
    {
      name: "cubin",
      ending: "cubin",
      make: (seed) => {
        const data = mutateCubin(cubins, new Random(seed));
        return { data, run: () => checkCubin(data) };
      },
    },
  ];
  return all.filter(({ name }) => options.only === undefined || options.only === name);
}

/** The first lines of a failure without numbers: what makes it another one. */
function causeOf(what: string): string {
  return what.split("\n").slice(0, 4).join("\n").replace(/\d+/g, "#");
}

function fuzz(target: Target, firstSeed: number, seconds: number): number {
  const end = performance.now() + 1000 * seconds;
  const most = Number(options.count ?? Infinity);
  const endings = new Map<string, number>();
  const causes = new Set<string>();
  let [count, longest, longestSeed] = [0, 0, 0];
  for (; count < most && performance.now() < end && causes.size < mostFailures; count += 1) {
    const seed = firstSeed + count;
    const { data, run } = target.make(seed);
    const start = performance.now();
    const ending = run();
    const took = performance.now() - start;
    if (took > longest) [longest, longestSeed] = [took, seed];
    if (ending.kind === "fine") {
      endings.set(ending.how, (endings.get(ending.how) ?? 0) + 1);
      continue;
    }
    if (causes.has(causeOf(ending.what))) continue;
    causes.add(causeOf(ending.what));
    mkdirSync(join(root, "out/fuzz"), { recursive: true });
    const path = join(root, "out/fuzz", `${target.name}-${seed}.${target.ending}`);
    writeFileSync(path, data);
    process.stdout.write(`✗ ${target.name} --seed ${seed}: ${ending.what}\n  kept in ${path}\n`);
  }
  const summary = [...endings]
    .sort((a, b) => b[1] - a[1])
    .map(([how, times]) => `${how} ${times}`)
    .join(", ");
  process.stdout.write(
    `${causes.size === 0 ? "✓" : "✗"} ${target.name}: ${count} inputs from seed ${firstSeed}, ${causes.size} failures, slowest ${Math.round(longest)} ms (seed ${longestSeed}): ${summary}\n`,
  );
  return causes.size;
}

const chosen = targets();
const seed = Number(options.seed);
const seconds = Number(options.seconds);
if (chosen.length === 0 || !Number.isSafeInteger(seed) || !(seconds > 0)) {
  process.stderr.write("usage: npm run fuzz -- [--seconds N] [--seed N] [--only ptx|cubin] [--count N]\n");
  process.exitCode = 2;
} else {
  const failures = chosen.reduce((sum, target) => sum + fuzz(target, seed, seconds / chosen.length), 0);
  process.exitCode = failures === 0 ? 0 : 1;
}
