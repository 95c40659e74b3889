import type { ParameterFacts } from "../../../../../language/facts";
import { collapse, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedText, freshName, replaceNode, type TextEdit } from "../../../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../../../rule";
import { elementTypeOf } from "../../points/point-space";
import { closedConditions, earlyExits, exitCondition } from "../../reductions/early-exit";
import { isLaunchCheck, type Launched, type LaunchPair } from "./launch-pair";
import { apart, textOf } from "./body-text";
import { joinedLoops } from "./joined-loops";
import { leftovers, removal } from "./leftovers";
import { type JoinedBody, repeatedInOneScope } from "./one-scope";
import { temporaryOf } from "./temporary";

/**
 * Both kernels as one, in the place of the kernel's own; its launch does the work of both, and what nobody
 * needs any more is gone.
 */
export function joinedKernels(input: RuleInput, pair: LaunchPair): readonly TextEdit[] | RuleHold {
  const { own, other, first, store, loads, array } = pair;
  const type = elementTypeOf(first.view, store.parameter);
  if (type === undefined) return not("type", `the type of ${array} is not written out`, store.node);
  const leftOut = [own, other].find((each) => partsOf(parameterList(each)).length > each.passed.size);
  if (leftOut !== undefined)
    return not("launch", "the launch leaves a parameter to its default", leftOut.call);
  const names = parameterNames(pair);
  if (isNot(names)) return names;
  const kept = freshName(own.view.source, "kept");
  const memory = pair.once ? temporaryOf(pair) : undefined;
  const temporary = memory !== undefined;
  const texts = bodies(pair, { names, kept, temporary });
  if (isNot(texts)) return texts;
  const register = temporary ? [`  ${type} ${kept}{};`] : [];
  const body = ["{", ...register, ...texts, "}"].join("\n");
  const list = parameterList(own);
  if (list === undefined) return not("unreadable", "the kernel has no parameters", own.view.line);
  const gone = (launched: Launched, parameter: string): boolean =>
    temporary && launched.passed.get(parameter) === array;
  const ownParameters = partsOf(list).filter((node) => !gone(own, nameOf(node)));
  const added = names.added.filter(({ parameter }) => !gone(other, parameter));
  // What one of them stores to is no constant for the other any more.
  const written = (node: SyntaxNode): string =>
    mayStore(other, own.passed.get(nameOf(node)))
      ? node.text.replace(/\bconst\s+(?=[^*]*\*)/, "")
      : node.text;
  const parameters = [
    ...ownParameters.map((node) => collapse(written(node))),
    ...added.map(({ text }) => text),
  ];
  const passed = [
    ...[...own.passed].filter(([parameter]) => !gone(own, parameter)).map(([, text]) => text),
    ...added.map((each) => each.passed),
  ];
  const given = own.call.childForFieldName("arguments");
  return given === null || loads.length === 0
    ? not("unreadable", "the launch has no arguments", own.call)
    : [
        replaceNode(list, `(${parameters.join(", ")})`),
        replaceNode(own.view.body, body),
        replaceNode(given, `(${passed.join(", ")})`),
        ...withoutLaunch(own, other),
        ...leftovers(input, pair, memory),
      ];
}

/** The other kernel's launch taken out, and the check behind it where the same stands behind the own one. */
function withoutLaunch(own: Launched, other: Launched): readonly TextEdit[] {
  const kept = own.statement.nextNamedSibling?.text;
  const check = other.statement.nextNamedSibling;
  const isRepeated = check !== null && isLaunchCheck(check) && check.text === kept;
  const gone = isRepeated ? [other.statement, check] : [other.statement];
  return gone.map((statement) => removal(own.view.source, statement));
}

interface Names {
  /** Names of the other kernel's parameters in the joined one. */
  readonly of: ReadonlyMap<string, string>;
  /** Parameters of the other kernel, with what its launch passes for them. */
  readonly added: readonly { readonly parameter: string; readonly text: string; readonly passed: string }[];
}

function parameterList({ view }: Launched): SyntaxNode | undefined {
  return view.kernel.definition.descendantsOfType("parameter_list")[0];
}

function nameOf(parameter: SyntaxNode): string {
  return (
    parameter.childForFieldName("declarator")?.descendantsOfType("identifier")[0]?.text ?? parameter.text
  );
}

function parameterOf({ view }: Launched, name: string | undefined): ParameterFacts | undefined {
  return view.kernel.facts.parameters.find((each) => each.name === name);
}

/** A type without what says how it is used alone. */
function bareType({ type }: ParameterFacts): string {
  return type.replace(/\b(?:const|__restrict__|__restrict)\b/g, "").replace(/\s+/g, "");
}

/** True where a launch takes what is passed through a pointer that is no constant's. */
function mayStore(launched: Launched, passed: string | undefined): boolean {
  const name = [...launched.passed].find(([, text]) => text === passed)?.[0];
  const facts = parameterOf(launched, name);
  return facts?.pointer === true && !facts.readOnly;
}

function parameterNames({ own, other, array }: LaunchPair): Names | RuleHold {
  const list = parameterList(other);
  const of = new Map<string, string>();
  const added: { parameter: string; text: string; passed: string }[] = [];
  let taken = own.view.source;
  for (const node of partsOf(list)) {
    const name = nameOf(node);
    const text = other.passed.get(name);
    if (text === undefined) return not("unreadable", "a parameter of the other kernel has no name", node);
    const same = [...own.passed].find(([, each]) => each === text)?.[0];
    const [mine, theirs] = [parameterOf(own, same), parameterOf(other, name)];
    const equal = mine !== undefined && theirs !== undefined && bareType(mine) === bareType(theirs);
    if (same !== undefined && (equal || text === array)) {
      of.set(name, same);
      continue;
    }
    if (same !== undefined && theirs?.pointer === true)
      return not("type", `the kernels take ${text} as different types`, node);
    const free = !new RegExp(`\\b${name}\\b`).test(own.view.kernel.definition.text);
    const fresh = free ? name : freshName(taken, `${name}Other`);
    taken += ` ${fresh}`;
    of.set(name, fresh);
    const declarator = node.childForFieldName("declarator")?.descendantsOfType("identifier")[0] ?? node;
    const range = { start: node.startIndex, end: node.endIndex };
    added.push({
      parameter: name,
      passed: text,
      text: collapse(editedText(other.view.source, range, [replaceNode(declarator, fresh)])),
    });
  }
  return { of, added };
}

interface Making {
  readonly names: Names;
  readonly kept: string;
  readonly temporary: boolean;
}

/** The bodies one after the other: what the first stores for the second goes through a register. */
function bodies(pair: LaunchPair, making: Making): readonly string[] | RuleHold {
  const { first, second, store, loads } = pair;
  const { kept, temporary } = making;
  const act = store.node.parent;
  const statement = act?.parent;
  const isPlain = act?.type === "assignment_expression" && statement?.type === "expression_statement";
  if (temporary && !isPlain)
    return not("unreadable", "what is handed on is stored in another way", store.node);
  const renamed = (launched: Launched): readonly TextEdit[] =>
    renamedParameters(pair, making.names, launched);
  // Memory that others see may hold something else where the first kernel stores nothing.
  const register = (nodes: readonly SyntaxNode[]): readonly TextEdit[] =>
    temporary ? nodes.map((node) => replaceNode(node, kept)) : [];
  const taken = temporary ? loads.map(({ node }) => node) : [];
  const handed = temporary ? [store.node] : [];
  const edits = [
    [...apart(renamed(first), handed), ...register([store.node])],
    [...apart(renamed(second), taken), ...register(taken)],
  ] as const;
  const loops = joinedLoops({ launched: first, edits: edits[0] }, { launched: second, edits: edits[1] });
  if (loops !== undefined) return loops;
  const exits = earlyExits(first.view, partsOf(first.view.body).at(-1) ?? first.view.body);
  if (isNot(exits)) return exits;
  const joined = (launched: Launched): JoinedBody => ({
    launched,
    written: (node) => textOf(node, renamed(launched)),
  });
  const repeated = repeatedInOneScope(joined(first), joined(second));
  const closed = repeated === undefined ? exits : [];
  const earlier = inner(first, [
    ...apart(edits[0], closed),
    ...closed.map((exit) => renamedExit(exit, renamed(first))),
  ]);
  const gone = repeated ?? [];
  const later = inner(second, [
    ...apart(edits[1], gone),
    ...gone.map((node) => removal(second.view.source, node)),
  ]);
  return repeated === undefined
    ? ["  {", earlier, ...closedConditions(exits), "  }", later]
    : [earlier, later];
}

/** The other kernel's parameters under their names in the joined one. */
function renamedParameters({ other }: LaunchPair, { of }: Names, launched: Launched): readonly TextEdit[] {
  if (launched !== other) return [];
  return [...of].flatMap(([name, fresh]) =>
    name === fresh ? [] : usesOf(launched.view.body, name).map((use) => replaceNode(use, fresh)),
  );
}

/** An early exit as the condition around what follows it, under the names of the joined kernel. */
function renamedExit(exit: SyntaxNode, renamed: readonly TextEdit[]): TextEdit {
  const condition = exitCondition(exit);
  return replaceNode(exit, `if (!(${textOf(condition, renamed)})) {`);
}

function inner({ view }: Launched, edits: readonly TextEdit[]): string {
  const { startIndex, endIndex } = view.body;
  return editedText(view.source, { start: startIndex + 1, end: endIndex - 1 }, edits).replace(
    /^\s*\n|\s+$/g,
    "",
  );
}
