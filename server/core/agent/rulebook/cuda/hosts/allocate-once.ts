import { changes } from "../../../../language/cuda/body/scope";
import { compact, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { hostCosts } from "../../../../timing/host/host-calls";
import { loopTypes } from "../../diagnosis/places";
import { editedText, editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { hostGain, inHosts, orderMatters, type RuntimeCall, runtimeStatements } from "./host-code";

/** Memory that each turn of a loop takes and gives back: its own, or what the turn before has left. */
interface TurnMemory {
  readonly name: string;
  readonly loop: SyntaxNode;
  readonly taken: RuntimeCall;
  readonly given: RuntimeCall;
  /** The pointer that the memory is handed on to, whose own memory is given back. */
  readonly next: string | undefined;
}

/**
 * Memory that each turn of a loop takes with the same size is taken once in front of it, and given back
 * behind it, where cudaFree waits for all turns. Where a turn hands it on, two pieces of memory change
 * places.
 */
export const allocateOnce = defineRule("cuda-allocate-once", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const changed = inHosts(view, (host) => editsOf(view, host));
  if (isNot(changed)) return changed;
  const [first] = changed[0].kept;
  const count = changed.flatMap(({ kept }) => kept).length;
  const facts = { file: input.file, line: lineOf(first.taken.call), counter: "hostCalls" as const };
  const edits = changed.flatMap((each) => each.edits);
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: entry.hypothesis,
    evidence: evidenceFor(entry, { ...facts, value: count, ideal: 0 }),
    gain: hostGain(input, count * hostCosts.allocateNanoseconds),
  };
});

function editsOf(
  view: KernelView,
  host: SyntaxNode,
): { readonly kept: readonly [TurnMemory, ...TurnMemory[]]; readonly edits: readonly TextEdit[] } | RuleHold {
  const answers = runtimeStatements(host, /^cudaMalloc$/).flatMap((taken) => turnMemory(host, taken) ?? []);
  const [first, ...others] = answers.flatMap((each) => (isNot(each) ? [] : [each]));
  if (first === undefined)
    return answers.find(isNot) ?? not("no-pattern", "no turn of a loop takes memory and gives it back", host);
  const held = orderMatters(view, host);
  if (held !== undefined) return held;
  const kept: readonly [TurnMemory, ...TurnMemory[]] = [first, ...others];
  return { kept, edits: kept.flatMap((each) => keptEdits(view, each)) };
}

/** What leaves a turn before its end. */
const leaving = ["return_statement", "break_statement", "continue_statement", "goto_statement"];

/** Undefined for memory of no loop, or such as is kept; a guard's answer where it has to be taken anew. */
function turnMemory(host: SyntaxNode, taken: RuntimeCall): TurnMemory | RuleHold | undefined {
  const memory = givenBack(taken);
  if (memory === undefined) return undefined;
  const { loop, name } = memory;
  const [way] = loop.descendantsOfType(leaving);
  if (way !== undefined) return not("dependence", "a turn may end before its memory is given back", way);
  if (loop.parent?.type !== "compound_statement")
    return not("no-rewrite", "the loop stands in no block of statements", loop);
  const size = taken.given[1];
  if (size === undefined || !isSteady(loop, size))
    return not("dependence", `the size of ${name} may be another one in each turn`, taken.call);
  return held(host, memory, compact(size)) ?? memory;
}

/** Memory that is taken in a loop, and the call of the same turn that gives it back, or what it replaces. */
function givenBack(taken: RuntimeCall): TurnMemory | undefined {
  const block = taken.statement.parent;
  const loop = block?.parent;
  const name = addressed(taken);
  if (name === undefined || block?.type !== "compound_statement" || !loop) return undefined;
  if (!loopTypes.some((type) => type === loop.type)) return undefined;
  const frees = runtimeStatements(block, /^cudaFree$/).filter(
    ({ statement }) => statement.parent?.id === block.id && statement.startIndex > taken.statement.endIndex,
  );
  const ofName = (each: string | undefined): RuntimeCall | undefined =>
    frees.find(({ given: [freed] }) => compact(freed) === each);
  const own = ofName(name);
  const next = own === undefined ? handedOn(block, name) : undefined;
  const given = own ?? ofName(next);
  // Results that a turn shows the host are told apart by their memory when two runs are compared.
  if (given === undefined || isShown(block, name)) return undefined;
  return { name, loop, taken, given, next };
}

function isShown(block: SyntaxNode, name: string): boolean {
  return runtimeStatements(block, /^cudaMemcpy/).some(
    ({ given: [, source, , kind] }) =>
      compact(kind) === "cudaMemcpyDeviceToHost" && source !== undefined && usesOf(source, name).length > 0,
  );
}

/** The variable of `cudaMalloc(&p, …)`. */
function addressed({ given: [target] }: RuntimeCall): string | undefined {
  return /^(?:\((?:void\*\*)\)|reinterpret_cast<void\*\*>)?\(?&(\w+)\)?$/.exec(compact(target))?.[1];
}

/** `q` of `q = p;` in a turn, where it is all that becomes of `p`. */
function handedOn(block: SyntaxNode, name: string): string | undefined {
  const [only, ...more] = partsOf(block).flatMap((statement) => {
    const [act] = statement.type === "expression_statement" ? partsOf(statement) : [];
    const isIt = act?.type === "assignment_expression" && compact(act.childForFieldName("right")) === name;
    const target = isIt ? act.childForFieldName("left") : null;
    return target?.type === "identifier" && act !== undefined ? [{ target: target.text, act }] : [];
  });
  if (only === undefined || more.length > 0) return undefined;
  return usesOf(block, name).some((use) => use.startIndex > only.act.endIndex) ? undefined : only.target;
}

/** Why memory has to be taken anew in each turn; undefined where it has not. */
function held(
  host: SyntaxNode,
  { name, loop, taken, given, next }: TurnMemory,
  size: string,
): RuleHold | undefined {
  const set = changesOf(loop, name).find((node) => !isInside(node, taken.statement));
  if (set !== undefined) return not("dependence", `${name} is set to other memory, too`, set);
  if (next === undefined) {
    const late = usesOf(loop, name).find((use) => use.startIndex > given.statement.endIndex);
    return late && not("dependence", `${name} is used behind the call that gives it back`, late);
  }
  const others = runtimeStatements(host, /^cudaMalloc$/).filter((each) => addressed(each) === next);
  const isSame = others.length > 0 && others.every((each) => compact(each.given[1]) === size);
  if (!isSame || changesOf(loop, next).length !== 1)
    return not("dependence", `nothing says that ${next} has as much memory as ${name}`, given.call);
  return undefined;
}

function changesOf(part: SyntaxNode, name: string): readonly SyntaxNode[] {
  return changes(part).flatMap(({ act, target }) => (target.text === name ? [act] : []));
}

const resizing = /\.(?:resize|push_back|emplace\w*|insert|clear|assign|erase|pop_back|swap)\s*\(/;

/** Whether a size is the same in each turn of a loop. */
function isSteady(loop: SyntaxNode, size: SyntaxNode): boolean {
  const declared = loop
    .descendantsOfType("declaration")
    .flatMap((each) => each.childrenForFieldName("declarator"))
    .map((each) => (each.childForFieldName("declarator") ?? each).descendantsOfType("identifier")[0]?.text);
  const names = [size, ...size.descendantsOfType("identifier")].filter(({ type }) => type === "identifier");
  const isFixed = names.every(
    ({ text }) => changesOf(loop, text).length === 0 && !declared.includes(text) && !isDeclaredIn(loop, text),
  );
  const calls = size.descendantsOfType("call_expression");
  const areSizes = calls.every((call) => /^[\w.]+\.size\(\)$/.test(compact(call)));
  return isFixed && areSizes && (calls.length === 0 || !resizing.test(loop.text));
}

/** Whether a loop's head or body declares a name without a value. */
function isDeclaredIn(loop: SyntaxNode, name: string): boolean {
  return usesOf(loop, name).some(({ parent }) => /declarator$|^declaration$/.test(parent?.type ?? ""));
}

function keptEdits(
  { source }: KernelView,
  { name, loop, taken, given, next }: TurnMemory,
): readonly TextEdit[] {
  const kept = freshName(source, `${name}Kept`);
  const [target] = taken.given;
  const [freed] = given.given;
  const before = [`void* ${kept} = nullptr;`, target ? withOther(source, taken, target, `&${kept}`) : ""];
  const behind = freed ? withOther(source, given, freed, kept) : "";
  const indent = indentOf(source, loop);
  const { statement } = given;
  const line = source.lastIndexOf("\n", statement.startIndex);
  const isAlone = source.slice(line + 1, statement.startIndex).trim() === "";
  return [
    {
      start: loop.startIndex,
      end: loop.startIndex,
      text: before.map((each) => `${each}\n${indent}`).join(""),
    },
    replaceNode(taken.statement, `${name} = static_cast<decltype(${name})>(${kept});`),
    next === undefined
      ? { start: isAlone ? line : statement.startIndex, end: statement.endIndex, text: "" }
      : replaceNode(statement, `${kept} = ${next};`),
    { start: loop.endIndex, end: loop.endIndex, text: `\n${indent}${behind}` },
  ];
}

/** A call's statement with another argument in the place of one. */
function withOther(source: string, { statement }: RuntimeCall, argument: SyntaxNode, text: string): string {
  const range = { start: statement.startIndex, end: statement.endIndex };
  return editedText(source, range, [replaceNode(argument, text)]);
}
