import { readTriton } from "../../../language/triton/model";
import { not, type RuleHold, type RuleInput, type RuleProposal } from "../rule";

/**
 * Holds a rewrite back that the host's launch would have to follow, where the kernel spec launches the kernel
 * itself: the judge never comes by the launch of the file.
 */
export function heldByOwnLaunch(input: RuleInput, { tree, evidence }: RuleProposal): RuleHold | undefined {
  if (!launchesItself(input.spec)) return undefined;
  const [before, after] = [definitionIn(input, input.tree), definitionIn(input, tree)];
  if (before === undefined || after === undefined) return undefined;
  if (before.parameters === after.parameters && before.text !== after.text) return undefined;
  return not(
    "launch",
    `${evidence.sentence}; the kernel spec launches the kernel itself, so the launch cannot change: give it a function of the file as its entry`,
    evidence.line,
  );
}

/** True where the spec hands the kernel its arguments: `FILE.py::KERNEL[(blocks,)](x, y)`. */
function launchesItself({ run }: RuleInput["spec"]): boolean {
  return run.kind === "launch" || /::\w+\s*\[/.test(run.entry.call);
}

interface Written {
  /** The definition with its decorators. */
  readonly text: string;
  readonly parameters: string;
}

function definitionIn({ file, kernel, parse }: RuleInput, tree: RuleInput["tree"]): Written | undefined {
  const source = tree[file];
  const root = source === undefined ? undefined : parse(file, source);
  const found = root && readTriton(root).kernels.find(({ facts }) => facts.name === kernel);
  if (found === undefined) return undefined;
  const { definition } = found;
  return {
    text: (definition.parent ?? definition).text,
    parameters: definition.childForFieldName("parameters")?.text ?? "",
  };
}
