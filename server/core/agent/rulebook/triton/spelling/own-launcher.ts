import { readTriton } from "../../../../language/triton/model";
import { hasLauncher, ownLauncherOf } from "../../../../workload/own-launcher";
import type { RuleInput, RuleProposal } from "../../rule";

/** A source in which a function says how its kernel is launched. */
interface WithLauncher {
  readonly input: RuleInput;
  /** A rewrite without the function where that is as it was; else it says that the launch is another one. */
  finished(proposal: RuleProposal): RuleProposal;
  /** What is told of a line of the function, as told of the kernel: nobody else sees the function. */
  told<Told extends { readonly line: number; readonly sentence: string }>(each: Told): Told;
}

/**
 * A bare kernel with a function that launches it as it was found out: a rewrite may change the launch there.
 * Where the source has such a function already, that one counts. Undefined where a launch is known, or none
 * can be written.
 */
export function withTritonLauncher(input: RuleInput): WithLauncher | undefined {
  const { spec, file, parse, tree } = input;
  const launcher = ownLauncherOf(spec);
  const source = tree[file];
  const root = source === undefined ? undefined : parse(file, source);
  if (launcher === undefined || source === undefined || root === undefined) return undefined;
  const run = { kind: "entry" as const, entry: { call: launcher.call, arguments: launcher.parameters } };
  const freed = { ...input, spec: { ...spec, run } };
  if (hasLauncher(source, launcher))
    return { input: freed, finished: (proposal) => proposal, told: (each) => each };
  const { kernels, launches } = readTriton(root);
  const name = input.kernel.split("::").at(-1);
  const kernel = kernels.find(({ facts }) => facts.name === name);
  const isLaunched = launches.some(({ site }) => site.kernel === name);
  if (kernel === undefined || isLaunched || !/^import triton$/m.test(source)) return undefined;
  const added = `\n\n${launcher.definition}`;
  const line = kernel.facts.nameRange.start.line + 1;
  const last = source.split("\n").length;
  const seen = (each: number): number => (each > last ? line : each);
  const told: WithLauncher["told"] = (each) => ({
    ...each,
    line: seen(each.line),
    sentence: each.sentence.replace(/\bline (\d+)\b/g, (_, number: string) => `line ${seen(Number(number))}`),
  });
  return {
    told,
    input: { ...freed, tree: { ...tree, [file]: `${source}${source.endsWith("\n") ? "" : "\n"}${added}` } },
    finished: (proposal) => {
      const after = proposal.tree[file] ?? "";
      const kept = after.endsWith(added) ? after.slice(0, -added.length) : after;
      const more = `${proposal.hypothesis.replace(/\.$/, "")}; ${launcher.name} says how the kernel is launched from then on.`;
      return {
        ...proposal,
        tree: { ...proposal.tree, [file]: kept },
        evidence: told(proposal.evidence),
        hypothesis: kept === after ? more : proposal.hypothesis,
      };
    },
  };
}
