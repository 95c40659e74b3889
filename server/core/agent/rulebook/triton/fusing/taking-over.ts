import { isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { parameterName } from "../../../../language/triton/names";
import { editedText, replaceNode, type TextEdit } from "../../edits";
import { not, type RuleHold } from "../../rule";
import { onlyAssignment, type TritonView } from "../kernel";
import type { Joint } from "./joint";
import { writtenGrid } from "./stage";

interface Change {
  /** The edits of the taker's body. */
  readonly edits: readonly TextEdit[];
  /** New names of the pointwise kernel's parameters. */
  readonly names: ReadonlyMap<string, string>;
}

/** A parameter of the kernel that is left, with what the host passes for it. */
interface Parameter {
  readonly declared: string;
  readonly name: string;
  readonly passed: string | undefined;
}

/** One kernel under the name of the one that is judged, and one launch in the place of two. */
export function takenOver(
  view: TritonView,
  joint: Joint,
  { edits, names }: Change,
): readonly TextEdit[] | RuleHold {
  const { taker, pointwise, before } = joint;
  const { source } = view;
  const { kernel, launch } = taker;
  const head = kernel.definition.childForFieldName("parameters");
  if (head === null || launch.call.parent?.type !== "expression_statement")
    return not("launch", "a launch is part of something else", launch.call);
  const body = editedText(source, { start: kernel.body.startIndex, end: kernel.body.endIndex }, edits);
  const parameters = parametersOf(view, joint, { names, body: withoutMoves(joint, body) });
  const declared = replaceNode(head, `(${parameters.map((each) => each.declared).join(", ")})`);
  const name = view.definition.childForFieldName("name")?.text ?? "";
  const title = kernel.definition.childForFieldName("name");
  const whole = kernel.definition.parent ?? kernel.definition;
  const made = [
    declared,
    ...(title === null ? [] : [replaceNode(title, name)]),
    { start: kernel.body.startIndex, end: kernel.body.endIndex, text: withoutMoves(joint, body) },
  ];
  const text = editedText(source, { start: whole.startIndex, end: whole.endIndex }, made);
  const last = before ? launch : pointwise.launch;
  const gone = before ? pointwise.statement : launch.call.parent;
  const call = launchText(joint, name, parameters);
  return [
    ...definitionEdits(view, joint, text),
    lineTaken(source, gone),
    replaceNode(last.call, call),
    ...unusedTensor(view, joint, call).map((statement) => lineTaken(source, statement)),
  ];
}

/** The judged kernel's definition is the new one; the other kernel has no launch any more. */
function definitionEdits(view: TritonView, { taker, pointwise }: Joint, text: string): readonly TextEdit[] {
  const [own, other] = [taker.kernel.definition, pointwise.kernel.definition];
  const judged = view.definition.id === own.id ? own : other;
  const unused = judged === own ? other : own;
  const { startIndex: start, endIndex } = unused.parent ?? unused;
  const blank = /^\s*/.exec(view.source.slice(endIndex))?.[0] ?? "";
  return [replaceNode(judged.parent ?? judged, text), { start, end: endIndex + blank.length, text: "" }];
}

/** `X += row * stride` of a pointer that nothing is loaded through any more. */
function withoutMoves({ parameter, taker }: Joint, body: string): string {
  const move = new RegExp(`\\n[ \\t]*${parameter} \\+= [^\\n]*`);
  const moved = body.replace(move, "").replace(new RegExp(`^${parameter} \\+= [^\\n]*\\n\\s*`), "");
  const used = new RegExp(`(?<![\\w.])${parameter}\\b`).test(moved);
  return used || taker.kernel.facts.parameters.length === 0 ? withoutAlias(parameter, body) : moved;
}

/** `x_row = X + row * stride` that nothing uses. */
function withoutAlias(parameter: string, body: string): string {
  const alias = new RegExp(`(?:^|\\n)[ \\t]*(\\w+) = [^\\n]*(?<![\\w.])${parameter}\\b[^\\n]*`).exec(body);
  const name = alias?.[1];
  const uses = name === undefined ? [] : [...body.matchAll(new RegExp(`(?<![\\w.])${name}\\b`, "g"))];
  return alias !== null && uses.length === 1 ? body.replace(alias[0], "").replace(/^\n\s*/, "") : body;
}

interface Left {
  readonly names: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The taker's parameters that are left, and those of the pointwise kernel that it needs; constants last. */
function parametersOf(view: TritonView, { taker, pointwise, parameter }: Joint, { names, body }: Left) {
  const used = (name: string): boolean => new RegExp(`(?<![\\w.])${name}\\b`).test(body);
  const own = partsOf(taker.kernel.definition.childForFieldName("parameters")).map((node) => {
    const name = parameterName(node);
    const passed = taker.passed.get(name)?.text;
    return { declared: node.text, name, passed, constexpr: isConstant(taker.kernel.facts.parameters, name) };
  });
  const kept = own.filter(({ name }) => name !== parameter || used(name));
  const known = new Set(own.map(({ name }) => name));
  const added = pointwise.kernel.facts.parameters.flatMap(({ name, constexpr, type }) => {
    const fresh = names.get(name) ?? name;
    if (known.has(fresh) || !used(fresh)) return [];
    known.add(fresh);
    const declared = constexpr ? `${fresh}: ${type}` : fresh;
    return [{ declared, name: fresh, passed: pointwise.passed.get(name)?.text, constexpr }];
  });
  const all = [...kept, ...added];
  const defaults = all.filter(({ declared }) => /=/.test(declared));
  const plain = all.filter((each) => !defaults.includes(each));
  return [...plain.filter((each) => !each.constexpr), ...plain.filter((each) => each.constexpr), ...defaults];
}

function isConstant(parameters: Joint["taker"]["kernel"]["facts"]["parameters"], name: string): boolean {
  return parameters.some((each) => each.name === name && each.constexpr);
}

function launchText({ taker }: Joint, name: string, parameters: readonly Parameter[]): string {
  const { launch, kernel } = taker;
  const known = new Set(kernel.facts.parameters.map((each) => each.name));
  const options = [...launch.keywords].filter(([key]) => !known.has(key));
  const given = [
    ...parameters.flatMap((each) => (each.passed === undefined ? [] : [`${each.name}=${each.passed}`])),
    ...options.map(([key, value]) => `${key}=${value.text}`),
  ];
  return `${name}[${writtenGrid(launch)}](${given.join(", ")})`;
}

/** `t = torch.empty_like(x)` of the tensor that is not passed on any more. */
function unusedTensor(
  view: TritonView,
  { tensor, taker, pointwise }: Joint,
  call: string,
): readonly SyntaxNode[] {
  if (new RegExp(`(?<![\\w.])${tensor}\\b`).test(call)) return [];
  const statement = onlyAssignment(view.host, tensor)?.parent;
  const launches = [taker.launch.call, pointwise.launch.call];
  const used = usesOf(view.host, tensor).some(
    (use) => !launches.some((launch) => isInside(use, launch)) && !(statement && isInside(use, statement)),
  );
  return statement?.type === "expression_statement" && !used ? [statement] : [];
}

/** The statement with its line. */
function lineTaken(source: string, statement: SyntaxNode): TextEdit {
  const start = source.lastIndexOf("\n", statement.startIndex);
  return { start: Math.max(0, start), end: statement.endIndex, text: "" };
}
