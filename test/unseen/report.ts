import type { Judged } from "./judge-kernel";

/** Shares of the kernels that the rulebook has to reach alone. */
const GOALS = { removed: 0.6, named: 0.9 } as const;

/** One row for a kernel: what was planted, what came of it, what won. */
export function rowOf(one: Judged): string {
  const { kernel, removed, named, gain, expert, before, binding, rules, causes, seconds } = one;
  const times = `${before.toFixed(0)} ns (${binding}), ${gain.toFixed(2)} times less of ${expert.toFixed(1)}`;
  const words = `${removed ? "removed" : "left"}, ${named ? "named" : "not named"}`;
  const cells = [kernel.file, kernel.inefficiency, words, times, `causes: ${causes.join(", ") || "none"}`];
  return [...cells, `rules: ${rules.join(" + ") || "none"}`, `${seconds} s`].join(" | ");
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
    const still = removed.filter(({ gain }) => gain < 1.05).length;
    const below = still === 0 ? "" : ` (${still} below what binds)`;
    return `${name.padEnd(24)} removed ${removed.length} of ${of.length}${below}, named ${named.length} of ${of.length}`;
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

/** True where both goals are reached. */
export function reachesGoals(judged: readonly Judged[]): boolean {
  const share = (key: "removed" | "named"): number =>
    judged.filter((one) => one[key]).length / Math.max(1, judged.length);
  return share("removed") >= GOALS.removed && share("named") >= GOALS.named;
}
