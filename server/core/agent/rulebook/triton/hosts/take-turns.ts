import { compact, enclosing, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { termOf } from "../../../../timing/bound";
import { editedTree, replaceNode } from "../../edits";
import { evidenceFor, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import { languageCalls, positional, tritonKernel, type TritonView } from "../kernel";

/**
 * Lets two tensors change places behind each launch of a loop of the host, where all of the one is copied to
 * the other so that the next launch reads it.
 */
export const takeTurns = defineRule("triton-take-turns", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const copied = copyBehindLaunch(view);
  if (isNot(copied)) return copied;
  const { statement, target, source } = copied;
  const { nanoseconds } = input.bound;
  const gain = Math.max(0.05, Math.min(1, shareSaved(termOf(input.bound, "torch"), nanoseconds)));
  const held = heldBack(view, copied);
  if (held !== undefined) return { ...held, gain };
  const times = (input.launches ?? []).reduce((sum, each) => sum + (each.times ?? 1), 0);
  const facts = { file: input.file, line: lineOf(statement), counter: "launches" as const };
  const blanks = { target, source };
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNode(statement, `${target}, ${source} = ${source}, ${target}`)]),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(entry, { ...facts, value: times, ideal: 0 }, blanks),
    gain,
  };
});

/** `target.copy_(source)` behind a launch that is passed both. */
interface Copied {
  readonly loop: SyntaxNode;
  readonly statement: SyntaxNode;
  readonly target: string;
  readonly source: string;
  /** The parameter that the kernel gets the source for. */
  readonly parameter: string;
}

function copyBehindLaunch(view: TritonView): Copied | RuleHold {
  const { launch, host, parameters } = view;
  const loop = enclosing(launch.call, "for_statement", "while_statement");
  const body = loop?.childForFieldName("body");
  const own = enclosing(launch.call, "expression_statement");
  if (!loop || !body || !isInside(loop, host) || own?.parent?.id !== body.id)
    return not("no-pattern", "no loop of the host launches the kernel", launch.call);
  const passed = new Map([
    ...launch.positional.map((node, place) => [node.text, parameters[place]?.name ?? ""] as const),
    ...[...launch.keywords].map(([parameter, node]) => [node.text, parameter] as const),
  ]);
  for (const statement of partsOf(body).filter(({ startIndex }) => startIndex > own.endIndex)) {
    const [target, source] = copyIn(statement) ?? [];
    const parameter = passed.get(source ?? "");
    if (target !== undefined && source !== undefined && parameter !== undefined && passed.has(target))
      return { loop, statement, target, source, parameter };
  }
  return not("no-pattern", "no loop of the host copies what a launch has written", launch.call);
}

const copying = [
  /^(\w+)\.copy_\((\w+)(?:,non_blocking=\w+)?\)$/,
  /^(\w+)\[(?::|\.\.\.)\]=(\w+)$/,
  /^(\w+)=(\w+)\.clone\(\)$/,
  /^(\w+)=torch\.clone\((\w+)\)$/,
];

/** The names of `target.copy_(source)`, `target[:] = source`, `target = source.clone()`. */
function copyIn(statement: SyntaxNode): readonly [string, string] | undefined {
  const text = compact(statement);
  for (const form of copying) {
    const [, target, source] = form.exec(text) ?? [];
    if (target !== undefined && source !== undefined) return [target, source];
  }
  return undefined;
}

function heldBack(view: TritonView, copied: Copied): RuleHold | undefined {
  const { host, launch, body } = view;
  const { loop, statement, target, source, parameter } = copied;
  const loaded = languageCalls(view, ["load"]).find((call) => {
    const [address] = positional(call);
    return address !== undefined && usesOf(address, parameter).length > 0;
  });
  const named = body
    .descendantsOfType("assignment")
    .find((act) => usesOf(act.childForFieldName("right") ?? act, parameter).length > 0);
  if (loaded !== undefined || named !== undefined)
    return not("dependence", `the kernel may read what is in ${source}`, loaded ?? named ?? loop);
  const jump = loop.descendantsOfType(["break_statement", "continue_statement", "return_statement"])[0];
  if (jump !== undefined) return not("dependence", "a turn may end before the copy", jump);
  const made = beginningOf(host, loop, target);
  if (
    made === undefined ||
    !/(?:\.clone\(\)|^torch\.(?:zeros|empty|full|rand|randn|ones)(?:_like)?\(.*\))$/.test(made)
  )
    return not("aliasing", `${target} may be a tensor of the caller`, loop);
  const next = beginningOf(host, loop, source);
  const like = [`${target}.clone()`, `torch.clone(${target})`, `torch.empty_like(${target})`];
  if (next === undefined || !like.includes(next))
    return not("dependence", `what the kernel leaves unwritten of ${source} may be another`, loop);
  const other = usesOf(host, source).find(
    (use) => use.startIndex > loop.startIndex && !isInside(use, launch.call) && !isInside(use, statement),
  );
  if (other !== undefined) return not("dependence", `${source} is used beside the launch`, other);
  const alias = usesOf(host, target).find((use) => use.endIndex < loop.startIndex && isHandedOn(use));
  return alias && not("aliasing", `${target} may have another name`, alias);
}

/** What a name is given in front of the loop, where that is once. */
function beginningOf(host: SyntaxNode, loop: SyntaxNode, name: string): string | undefined {
  const given = host
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => !isInside(act, loop))
    .filter((act) => usesOf(act.childForFieldName("left") ?? act, name).length > 0);
  const [act, ...more] = given;
  const plain = act?.type === "assignment" && act.childForFieldName("left")?.text === name;
  if (!plain || more.length > 0 || act.startIndex > loop.startIndex) return undefined;
  return compact(act.childForFieldName("right"));
}

/** True for a use that may give the tensor another name: neither a shape nor a model of another tensor. */
function isHandedOn(use: SyntaxNode): boolean {
  const { parent } = use;
  if (parent?.type === "assignment" && parent.childForFieldName("left")?.id === use.id) return false;
  const attribute = parent?.type === "attribute" ? parent.childForFieldName("attribute")?.text : undefined;
  if (attribute !== undefined)
    return !/^(?:shape|stride|numel|size|device|dtype|ndim|dim|is_contiguous|is_cuda|clone)$/.test(attribute);
  const call = parent?.type === "argument_list" ? parent.parent : undefined;
  const callee = compact(call?.childForFieldName("function"));
  return !/^(?:len|torch\.(?:empty_like|zeros_like|clone))$/.test(callee);
}
