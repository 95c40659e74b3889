import type { SourceTree } from "../../../../../judge/candidate";
import { mayLaunch } from "../../../../../language/cuda/launches";
import type { RuleInput, RuleProposal } from "../../../rule";
import { macroUse } from "./macro-launches";
import type { LaunchUse } from "./launch-use";
import { type ToldOfLine, withLauncher } from "./own-launcher";
import { wrapperUse } from "./wrapper-launches";

/** A source whose launches stand where a rule may change them. */
interface LaunchesWritten {
  readonly input: RuleInput;
  /** The tree of a rewrite, with all back that it has left as it was put there. */
  restored(tree: SourceTree): SourceTree;
}

interface LaunchesApart {
  readonly input: RuleInput;
  /** A rewrite of that source as one of the source that was given. */
  finished(proposal: RuleProposal): RuleProposal;
  /** What is told of a line of that source, as told of one that was given. */
  told<Told extends ToldOfLine>(each: Told): Told;
}

/**
 * The kernel with launches that rules can change: those behind macros and functions written out, and one
 * for a kernel whose launch no source says.
 */
export function launchesApart(given: RuleInput): LaunchesApart {
  if (given.dialect !== "cuda")
    return { input: given, finished: (proposal) => proposal, told: (each) => each };
  const launched = withLauncher(given);
  const written = launchesWritten(launched?.input ?? given);
  return {
    input: written?.input ?? launched?.input ?? given,
    told: (each) => launched?.told(each) ?? each,
    finished: (proposal) => {
      const tree = written?.restored(proposal.tree) ?? proposal.tree;
      return launched?.finished({ ...proposal, tree }) ?? { ...proposal, tree };
    },
  };
}

/** More launches than a file has that anyone reads. */
const MOST = 50;

/**
 * The source with each `LAUNCH(kernel, n, …)` and `launch(kernel, n, …)` written out: only a launch that
 * stands in a function can get another grid, since a macro serves other kernels as well. Each line of a
 * kernel stays where it is. Undefined where the file has no such use.
 */
function launchesWritten(input: RuleInput): LaunchesWritten | undefined {
  const { file, parse } = input;
  let text = input.tree[file] ?? "";
  const done: (readonly [before: string, after: string])[] = [];
  for (let place = 0; place < MOST; place += 1) {
    const use = nextUse(text, (source) => parse(file, source));
    if (use === undefined) break;
    const { startIndex: start, endIndex: end } = use.node;
    const before = text.slice(start, end);
    const after = `${use.text}${before.replace(/[^\n]/g, "")}`;
    done.push([before, after]);
    text = text.slice(0, start) + after + text.slice(end);
  }
  if (done.length === 0) return undefined;
  return {
    input: { ...input, tree: { ...input.tree, [file]: text } },
    restored: (tree) => ({ ...tree, [file]: withUses(tree[file] ?? "", done) }),
  };
}

function nextUse(
  text: string,
  parse: (text: string) => ReturnType<RuleInput["parse"]>,
): LaunchUse | undefined {
  const root = mayLaunch({ text }) ? parse(text) : undefined;
  return root && (macroUse(root) ?? wrapperUse(root));
}

/** What was written out last stands in what was written out before it. */
function withUses(text: string, done: readonly (readonly [before: string, after: string])[]): string {
  let result = text;
  for (const [before, after] of [...done].reverse()) {
    const place = result.indexOf(after);
    if (place >= 0) result = result.slice(0, place) + before + result.slice(place + after.length);
  }
  return result;
}
