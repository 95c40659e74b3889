import { at } from "../../../../../base/known";
import { changes } from "../../../../../language/cuda/body/scope";
import {
  collapse,
  compact,
  enclosing,
  fieldText,
  isInside,
  lineOf,
  partsOf,
  usesOf,
} from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedText, freshName, replaceNode, type TextEdit } from "../../../edits";
import type { KernelView } from "../../kernel";
import { type Inlined, isHarmless, madeOf, typeOfArgument } from "./helpers";
import { memberType } from "../../structures/structure-layout";
import { isMadeOfMembers, plainType } from "./objects";
import {
  chainValue,
  declaredIn,
  membersOf,
  type Procedure,
  type ProcedureParameter,
  procedureOf,
} from "./procedures";

/** What may hold a call that statements can be put in front of. */
const holders = ["expression_statement", "declaration", "return_statement", "if_statement"];
const branching = [
  "conditional_expression",
  "lambda_expression",
  "for_statement",
  "while_statement",
  "do_statement",
];

/**
 * `split(x[i], &low, &high);` and `sums.add(value);` as the statements of the function, and a value that it
 * returns behind them in a local. All of it stands on the line of the call.
 */
export function statementsInlined(view: KernelView): Inlined | undefined {
  const calls = view.body.descendantsOfType("call_expression");
  for (const call of calls) {
    const holder = holderOf(call);
    const procedure = holder && procedureOf(view, call);
    if (holder === undefined || procedure === undefined) continue;
    const { object } = procedure;
    if (object !== undefined && hasPrivates(object.structure.body) && !isMadeOfMembers(view, object.name))
      continue;
    const written = writtenAt(view, { call, procedure });
    if (written === undefined) continue;
    const name = compact(call.childForFieldName("function"));
    const once = calls.filter((each) => compact(each.childForFieldName("function")) === name).length === 1;
    const { definition } = procedure;
    return {
      edits: placed({ call, holder, ...written }),
      moved: once
        ? [{ first: lineOf(definition), last: definition.endPosition.row + 1, to: lineOf(call) }]
        : [],
    };
  }
  return undefined;
}

/** True for a structure whose variables only its own functions may name. */
function hasPrivates(body: SyntaxNode): boolean {
  const isClass = body.parent?.type === "class_specifier";
  return isClass || body.children.some(({ type, text }) => type === "access_specifier" && text !== "public");
}

/** The statement in front of which the call's own statements may be done. */
function holderOf(call: SyntaxNode): SyntaxNode | undefined {
  const holder = enclosing(call, ...holders);
  const branch = enclosing(call, ...branching);
  if (holder === undefined || (branch !== undefined && isInside(branch, holder))) return undefined;
  if (holder.type === "if_statement" && !isInside(call, holder.childForFieldName("condition") ?? call))
    return undefined;
  const { parent } = holder;
  if (parent?.type === "else_clause" || parent === null) return undefined;
  const isHead =
    /^(?:for|while)_statement$/.test(parent.type) && parent.childForFieldName("body")?.id !== holder.id;
  return isHead || !isFirstDone(call, holder) ? undefined : holder;
}

/** True where nothing that a statement does stands in front of the call, or leaves it out. */
function isFirstDone(call: SyntaxNode, holder: SyntaxNode): boolean {
  for (let node: SyntaxNode = call; node.id !== holder.id && node.parent !== null; node = node.parent) {
    const outer = node.parent;
    const right = outer.childForFieldName("right");
    if (/^(?:&&|\|\|)$/.test(fieldText(outer, "operator")) && right?.id === node.id) return false;
  }
  const declarators = holder.childrenForFieldName("declarator");
  const [first] = declarators;
  if (declarators.length > 1 && first !== undefined && !isInside(call, first)) return false;
  const acts = changes(holder).filter(({ act }) => act.type === "update_expression");
  return acts.every(({ act }) => act.startIndex > call.endIndex);
}

interface Placing extends Written {
  readonly call: SyntaxNode;
  readonly holder: SyntaxNode;
}

/** The statements in front of the one that held the call, in braces where there is room for one alone. */
function placed({ call, holder, before, value }: Placing): readonly TextEdit[] {
  const braces = holder.parent?.type !== "compound_statement";
  const breaks = call.text.replace(/[^\n]/g, "");
  const [open, close] = braces ? ["{ ", " }"] : ["", ""];
  if (value === undefined) return [replaceNode(holder, `${open}${before}${breaks}${close}`)];
  const { startIndex: start, endIndex: end } = holder;
  const first = `${open}${before}${before === "" ? "" : " "}`;
  return [
    ...(first === "" ? [] : [{ start, end: start, text: first }]),
    replaceNode(call, `${value}${breaks}`),
    ...(close === "" ? [] : [{ start: end, end, text: close }]),
  ];
}

interface At {
  readonly call: SyntaxNode;
  readonly procedure: Procedure;
}

interface Written {
  readonly before: string;
  /** What stands for the call; undefined where it was a statement. */
  readonly value: string | undefined;
}

function writtenAt(view: KernelView, { call, procedure }: At): Written | undefined {
  const given = partsOf(call.childForFieldName("arguments"));
  const names = freshNames(view, procedure);
  const passed = procedure.parameters.map((parameter, place) =>
    passedAs(view, { parameter, argument: at(given, place), procedure, names }),
  );
  const known = passed.flatMap((each) => each ?? []);
  if (known.length < passed.length) return undefined;
  const by = new Map(known.map((each) => [each.name, each]));
  const text = (node: SyntaxNode): string => rewritten(view, node, { procedure, names, passed: by });
  const before = [
    ...known.flatMap(({ declared }) => declared ?? []),
    ...procedure.statements.filter(({ type }) => !type.startsWith("preproc")).map(text),
  ];
  const alone = call.parent?.type === "expression_statement";
  if (procedure.result === "") return alone ? { before: before.join(" "), value: undefined } : undefined;
  const value = chainValue(procedure.ending, text);
  if (value === undefined) return undefined;
  const result = procedure.given.get(procedure.result) ?? procedure.result;
  const isPlain = result === "auto" || result === "bool";
  if (before.length === 0) return { before: "", value: isPlain ? `(${value})` : madeOf(result, value) };
  const name = freshName(`${view.source} ${[...names.values()].join(" ")}`, `${nameOf(procedure)}Value`);
  return { before: `${before.join(" ")} const ${result} ${name} = ${value};`, value: name };
}

function nameOf({ definition }: Procedure): string {
  const name = fieldText(definition.descendantsOfType("function_declarator")[0], "declarator");
  return /^[A-Za-z_]\w*$/.test(name) ? name : "function";
}

/** Names of the function's own, those anew that the kernel knows already. */
function freshNames({ source, body, kernel }: KernelView, procedure: Procedure): ReadonlyMap<string, string> {
  const known = `${body.text} ${kernel.facts.parameters.map(({ name }) => name).join(" ")}`;
  let taken = source;
  const own = [...procedure.parameters.map(({ name }) => name), ...declaredIn(procedure)];
  return new Map(
    [...new Set(own)].map((name) => {
      const fresh = new RegExp(`\\b${name}\\b`).test(known) ? freshName(taken, name) : name;
      taken += ` ${fresh}`;
      return [name, fresh] as const;
    }),
  );
}

interface Passing {
  readonly parameter: ProcedureParameter;
  readonly argument: SyntaxNode;
  readonly procedure: Procedure;
  readonly names: ReadonlyMap<string, string>;
}

interface Passed {
  readonly name: string;
  /** What stands for the parameter. */
  readonly text: string;
  /** True where that is what the parameter points to. */
  readonly isPlace?: boolean;
  /** A declaration in front of the statements. */
  readonly declared?: string;
}

/** What a parameter is in the kernel; undefined where that cannot be said. */
function passedAs(view: KernelView, passing: Passing): Passed | undefined {
  const { parameter, argument } = passing;
  if (!isHarmless(view, addressed(argument) ?? argument)) return undefined;
  const changed = isChanged(passing);
  if (parameter.kind === "pointer") return pointerPassed(view, passing, changed);
  if (parameter.kind === "array") return isNameKept(view, passing) ? asItIs(passing) : undefined;
  if (parameter.kind === "reference" && isPlace(argument))
    return { name: parameter.name, text: collapse(argument.text) };
  return changed && parameter.kind === "reference" ? undefined : valuePassed(view, passing, changed);
}

function isChanged({ parameter, procedure }: Passing): boolean {
  return procedure.statements.some((node) =>
    changes(node).some(({ target }) => usesOf(target, parameter.name).some((use) => !isIndex(use, target))),
  );
}

/** True for a use that says which element is changed, and does not change itself. */
function isIndex(use: SyntaxNode, target: SyntaxNode): boolean {
  const list = enclosing(use, "subscript_argument_list");
  return list !== undefined && isInside(list, target);
}

/** `x` of `&x`. */
function addressed(argument: SyntaxNode): SyntaxNode | undefined {
  const inner = argument.type === "pointer_expression" ? argument.childForFieldName("argument") : null;
  return inner !== null && argument.text.startsWith("&") && isPlace(inner) ? inner : undefined;
}

/** True for what something can be stored to, and that names no other place a moment later. */
function isPlace(node: SyntaxNode): boolean {
  if (node.type === "identifier") return true;
  const place = node.type === "field_expression" || node.type === "subscript_expression";
  const inner = node.childForFieldName("argument");
  return place && inner !== null && isPlace(inner) && changes(node).length === 0;
}

function asItIs({ parameter: { name }, argument: { text } }: Passing): Passed {
  return { name, text };
}

/** True for an argument that is a name or a pointer of a structure, and that the function does not move. */
function isNameKept({ kernel }: KernelView, { parameter, argument, procedure }: Passing): boolean {
  const isMember = kernel.facts.parameters.some(({ name, pointer }) => pointer && name === argument.text);
  const moved = changes(procedure.definition).some(({ target }) => target.text === parameter.name);
  return (argument.type === "identifier" || isMember) && !moved;
}

function pointerPassed(view: KernelView, passing: Passing, changed: boolean): Passed | undefined {
  const { parameter, argument, procedure, names } = passing;
  const { name } = parameter;
  const place = addressed(argument);
  const uses = usesIn(procedure, name);
  if (place !== undefined)
    return uses.every((use) => isLooked(use) || isHandedOn(use))
      ? { name, text: collapse(place.text), isPlace: true }
      : undefined;
  if (isNameKept(view, passing)) return asItIs(passing);
  const pointed = uses.every((use) => use.parent?.type === "subscript_expression" || isLooked(use));
  if (changed && !pointed) return undefined;
  const fresh = names.get(name) ?? name;
  const stars = /\bconst\b/.test(parameterText(procedure, name))
    ? `const ${parameter.type}*`
    : `${parameter.type}*`;
  return { name, text: fresh, declared: `${stars} ${fresh} = ${collapse(argument.text)};` };
}

function parameterText({ definition }: Procedure, name: string): string {
  const list = definition.descendantsOfType("function_declarator")[0]?.childForFieldName("parameters");
  return partsOf(list).find((node) => usesOf(node, name).length > 0)?.text ?? "";
}

function usesIn({ statements, ending }: Procedure, name: string): readonly SyntaxNode[] {
  return [...statements, ...ending].flatMap((node) => usesOf(node, name));
}

/** `atomicAdd(p, 1)`. */
function isHandedOn({ parent }: SyntaxNode): boolean {
  return parent?.type === "argument_list";
}

/** `*p` and `p->member`. */
function isLooked(use: SyntaxNode): boolean {
  const { parent } = use;
  if (parent?.type === "pointer_expression") return parent.text.startsWith("*");
  return parent?.type === "field_expression" && fieldText(parent, "operator") === "->";
}

function valuePassed(view: KernelView, passing: Passing, changed: boolean): Passed {
  const { parameter, argument, names, procedure } = passing;
  const { name } = parameter;
  const type = procedure.given.get(parameter.type) ?? parameter.type;
  const text = collapse(argument.text);
  const literal = argument.type === "number_literal";
  const same =
    literal ||
    (argument.type === "identifier" && typeOfArgument(view, argument) === type) ||
    isSteadyMember(view, argument, type);
  const others = changes(procedure.definition).length > 0 && !literal && isAssignedLater(view, argument);
  if (!changed && same && !others) return { name, text };
  const fresh = names.get(name) ?? name;
  return { name, text: fresh, declared: `${changed ? "" : "const "}${type} ${fresh} = ${text};` };
}

/** True for `a.size` of a structure that the kernel is given and leaves as it is. */
function isSteadyMember(view: KernelView, argument: SyntaxNode, type: string): boolean {
  const object = argument.type === "field_expression" ? argument.childForFieldName("argument") : null;
  const given = view.kernel.facts.parameters.find(({ name, pointer }) => !pointer && name === object?.text);
  if (object?.type !== "identifier" || given === undefined) return false;
  const isChanged =
    changes(view.body).some(({ target }) => /^\w+/.exec(target.text)?.[0] === given.name) ||
    declaredIn({ statements: [view.body] }).includes(given.name);
  const own = isChanged ? undefined : memberType(view, plainType(given.type), fieldText(argument, "field"));
  const plain = (written: string): string => view.model.types.get(written) ?? written;
  return own !== undefined && plain(own) === plain(type);
}

/** True for a variable that the kernel changes: the function could do so by another name. */
function isAssignedLater({ body }: KernelView, argument: SyntaxNode): boolean {
  return changes(body).some(({ target }) => target.text === argument.text);
}

interface Rewriting {
  readonly procedure: Procedure;
  readonly names: ReadonlyMap<string, string>;
  readonly passed: ReadonlyMap<string, Passed>;
}

/** A statement or an expression of the function as it stands in the kernel, on one line. */
function rewritten(view: KernelView, node: SyntaxNode, how: Rewriting): string {
  const wholes = node
    .descendantsOfType(["pointer_expression", "field_expression"])
    .flatMap((whole) => pointedEdit(whole, how) ?? []);
  const names = node
    .descendantsOfType(["identifier", "type_identifier"])
    .flatMap((name) => nameEdit(name, how) ?? []);
  const directives = node.descendantsOfType("preproc_call").map((line) => replaceNode(line, " "));
  const apart = names.filter(
    (name) => !wholes.some(({ start, end }) => name.start >= start && name.end <= end),
  );
  const range = { start: node.startIndex, end: node.endIndex };
  return collapse(editedText(view.source, range, [...wholes, ...apart, ...directives]));
}

/** `*p` and `p->m` of a parameter that stands for a place, `this->m` and `*this`. */
function pointedEdit(whole: SyntaxNode, { procedure, passed }: Rewriting): TextEdit | undefined {
  const inner = whole.childForFieldName("argument");
  if (inner === null) return undefined;
  const own = passed.get(inner.text);
  const place = own?.isPlace === true ? own.text : undefined;
  const text = inner.type === "this" ? procedure.object?.name : place;
  if (text === undefined) return undefined;
  if (whole.type === "pointer_expression")
    return whole.text.startsWith("*") ? replaceNode(whole, text) : undefined;
  return fieldText(whole, "operator") === "->"
    ? replaceNode(whole, `${text}.${fieldText(whole, "field")}`)
    : undefined;
}

function nameEdit(node: SyntaxNode, { procedure, names, passed }: Rewriting): TextEdit | undefined {
  const { object, given } = procedure;
  const own = passed.get(node.text);
  const handed = own?.isPlace === true ? `&${own.text}` : own?.text;
  const argument = handed ?? names.get(node.text) ?? given.get(node.text);
  if (argument !== undefined) return argument === node.text ? undefined : replaceNode(node, argument);
  const isMember =
    node.type === "identifier" && object !== undefined && membersOf(object.structure).has(node.text);
  return isMember ? replaceNode(node, `${object.name}.${node.text}`) : undefined;
}
