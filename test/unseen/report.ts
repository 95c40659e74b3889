import { gainOf, type Judged, type Way } from "./judge-kernel";

/** Shares of the kernels that the rulebook has to reach alone. */
const GOALS = { removed: 0.6, named: 0.9 } as const;

/** One row for a kernel: what was planted, what came of it, what won. */
export function rowOf(one: Judged): string {
  const { kernel, removed, named, bound, simulated, binding, rules, causes, seconds } = one;
  const bySimulation = simulated === undefined ? "" : `, by simulation ${wayOf(simulated)}`;
  const times = `${wayOf(bound)} (${binding})${bySimulation}`;
  const words = `${removed ? "removed" : "left"}, ${named ? "named" : "not named"}`;
  const cells = [kernel.file, kernel.inefficiency, words, times, `causes: ${causes.join(", ") || "none"}`];
  return [...cells, `rules: ${rules.join(" + ") || "none"}`, `${seconds} s`].join(" | ");
}

function wayOf(way: Way): string {
  return `${way.before.toFixed(0)} ns, ${gainOf(way).toFixed(2)} times less of ${way.expert.toFixed(1)}`;
}

/** Why the rules that saw something to do held back, indented. */
export function whyOf({ why }: Judged): string {
  return why.map((line) => `    ${line}\n`).join("");
}

/** How many were removed and named, for each inefficiency and together. */
export function totalsOf(judged: readonly Judged[]): string {
  const kinds = [...new Set(judged.map(({ kernel }) => kernel.inefficiency))].sort();
  const row = (name: string, of: readonly Judged[]): string => {
    const [removed, named] = [of.filter((one) => one.removed), of.filter((one) => one.named)];
    const simulated = removed.filter(({ byBound }) => !byBound);
    const still = removed.filter(({ byBound, bound }) => byBound && gainOf(bound) < 1.05);
    const notes = [
      ...(still.length === 0 ? [] : [`${still.length} below what binds`]),
      ...(simulated.length === 0 ? [] : [`${simulated.length} by simulation alone`]),
    ];
    const noted = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
    return `${name.padEnd(24)} removed ${removed.length} of ${of.length}${noted}, named ${named.length} of ${of.length}`;
  };
  const rows = kinds.map((kind) =>
    row(
      kind,
      judged.filter(({ kernel }) => kernel.inefficiency === kind),
    ),
  );
  const goal = `goal: removed ${GOALS.removed * 100} %, named ${GOALS.named * 100} %`;
  return [...rows, row("all", judged), goal].join("\n");
}

/** True where both goals are reached, or that of names where nothing else was asked. */
export function reachesGoals(judged: readonly Judged[], namedAlone: boolean): boolean {
  const share = (key: "removed" | "named"): number =>
    judged.filter((one) => one[key]).length / Math.max(1, judged.length);
  return share("named") >= GOALS.named && (namedAlone || share("removed") >= GOALS.removed);
}
