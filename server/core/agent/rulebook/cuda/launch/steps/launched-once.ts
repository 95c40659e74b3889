import { collapse, enclosing, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../../edits";
import { isNot, not, type RuleHold } from "../../../rule";
import type { KernelView } from "../../kernel";
import { withComments } from "../../remainders/before-kernel";
import { type Declare, hostNames, hostValue } from "./host-values";
import { unknownAt } from "./known-names";
import type { Passed, TurnLaunch } from "./turn-launch";

/** The axis of the grid that the turns get. */
export interface TurnAxis {
  readonly place: 0 | 1 | 2;
  readonly extents: readonly [string, string, string];
  /** The grid as it is written. */
  readonly written: SyntaxNode;
}

/** The kernel's head: what a function that does the work of a turn is made of. */
interface Head {
  /** The kernel with its template's head, or with what says how it is linked. */
  readonly whole: SyntaxNode;
  /** All in front of its name. */
  readonly front: string;
  readonly template: string;
  /** `<T, Size>` of a template. */
  readonly given: string;
  readonly name: SyntaxNode;
}

/** A launch takes at most so many blocks along the second and the third axis. */
const mostBlocks = 65_535;

/** The kernel as a function that does one turn, and a kernel that finds its turn by an axis of the grid. */
export function launchedOnce(
  view: KernelView,
  turns: TurnLaunch,
  axis: TurnAxis,
): readonly TextEdit[] | RuleHold {
  const head = headOf(view);
  if (isNot(head)) return head;
  const { loop, launch } = turns;
  const found = handedAt(view, turns, head);
  if (isNot(found)) return found;
  const { handed, place } = found;
  const { source, kernel } = view;
  const { definition, facts } = kernel;
  const [turnOf, first] = [freshName(source, `turnOf_${facts.name}`), freshName(source, "firstTurn")];
  const type = loop.type.replace(/\bconst\b/g, "").trim();
  const block = `blockIdx.${["x", "y", "z"][axis.place]}`;
  const parameters = [...handed.parameters, `${type} ${first}`].join(", ");
  const text = [
    `${head.front}${facts.name}(${parameters}) {`,
    `  const ${type} ${loop.variable} = ${first} + static_cast<${type}>(${block});`,
    ...handed.lines.map((line) => `  ${line}`),
    `  ${turnOf}${head.given}(${handed.forwarded.join(", ")});`,
    "}",
  ].join("\n");
  return [
    {
      start: head.whole.startIndex,
      end: head.name.startIndex,
      text: `${head.template}static __device__ __forceinline__ void `,
    },
    replaceNode(head.name, turnOf),
    { start: definition.endIndex, end: definition.endIndex, text: "" },
    place.id === definition.id
      ? { start: head.whole.endIndex, end: head.whole.endIndex, text: `\n\n${text}` }
      : { start: withComments(place).startIndex, end: withComments(place).startIndex, text: `${text}\n\n` },
    replaceNode(loop.loop, launchText(view, { ...turns, launch }, { axis, passed: handed.passed })),
  ];
}

/**
 * What the kernel takes, and where it stands: where it did, or in front of the function that launches it,
 * where more names are known.
 */
function handedAt(
  view: KernelView,
  turns: TurnLaunch,
  { whole }: Head,
): { readonly handed: HandedOver; readonly place: SyntaxNode } | RuleHold {
  const { definition } = view.kernel;
  const { host } = turns.launch;
  const first = handedOver(view, turns, definition);
  if (!isNot(first)) return { handed: first, place: definition };
  if (host === undefined || host.parent?.id !== whole.parent?.id) return first;
  const second = handedOver(view, turns, host);
  return isNot(second) ? first : { handed: second, place: host };
}

function headOf({ kernel, model, source }: KernelView): Head | RuleHold {
  const { definition, facts } = kernel;
  const named = usesOf(model.root, facts.name)[2];
  if (named !== undefined) return not("fixed-elsewhere", `${facts.name} is named elsewhere`, named);
  const whole = wholeOf(definition);
  const name = definition.descendantsOfType("function_declarator")[0]?.childForFieldName("declarator");
  if (whole === undefined || name?.text !== facts.name)
    return not("no-rewrite", "the kernel is a part of something else", definition);
  const front = source.slice(whole.startIndex, name.startIndex);
  const isTemplate = whole.type === "template_declaration";
  const template = isTemplate ? source.slice(whole.startIndex, definition.startIndex) : "";
  const bounds = /__launch_bounds__\s*\([^()]*\)/;
  const words = collapse(front.slice(template.length).replace(bounds, ""));
  if (!/^(?:extern "C" )?(?:static )?__global__ void$/.test(words))
    return not("no-rewrite", "the kernel's head has more than its name and its bounds", definition);
  const names = facts.templateParameters.map((each) => each.name);
  return { whole, front, template, name, given: isTemplate ? `<${names.join(", ")}>` : "" };
}

/** The kernel with its template's head or linkage; undefined where it stands in anything but a namespace. */
function wholeOf(definition: SyntaxNode): SyntaxNode | undefined {
  const around = definition.parent;
  const isWrapped = around?.type === "template_declaration" || around?.type === "linkage_specification";
  const whole = around !== null && isWrapped ? around : definition;
  return ["translation_unit", "declaration_list"].includes(whole.parent?.type ?? "") ? whole : undefined;
}

interface HandedOver {
  readonly parameters: readonly string[];
  /** What the launch passes for them. */
  readonly passed: readonly string[];
  /** The declarations of the turn. */
  readonly lines: readonly string[];
  /** What the function of a turn is handed. */
  readonly forwarded: readonly string[];
}

/** What the kernel takes, so that it can work out for itself what the launch of a turn passed. */
function handedOver(
  view: KernelView,
  { loop, launch, passed, declarations }: TurnLaunch,
  place: SyntaxNode,
): HandedOver | RuleHold {
  const host = launch.host;
  if (host === undefined) return not("launch", "no function of the file launches the kernel", launch.call);
  if (enclosing(host, "template_declaration") !== undefined)
    return not("no-rewrite", "the host function is a template", host);
  const steady = passed.filter(({ byTurn }) => !byTurn);
  const own = declarations.flatMap((each) =>
    each
      .childrenForFieldName("declarator")
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []),
  );
  const known = new Set([loop.variable, ...own, ...view.model.constants.keys()]);
  const parts = [...declarations, ...passed.filter(({ byTurn }) => byTurn).map(({ node }) => node)];
  const needed = hostNames(host, parts, known);
  const unknown = unknownAt(
    place,
    view,
    [...typesOf(loop.loop), ...parts],
    new Set([loop.variable, ...own, ...needed.map(({ text }) => text)]),
  );
  if (unknown !== undefined)
    return not("no-rewrite", `${unknown.text} is not known where the kernel may stand`, unknown);
  const names = new Map<string, string>();
  const added: { readonly text: string; readonly passed: string }[] = [];
  const clash = steady.find(({ parameter }) => known.has(parameter));
  if (clash !== undefined)
    return not("no-rewrite", `${clash.parameter} is another thing in the loop`, clash.node);
  let taken = ` ${steady.map(({ parameter }) => parameter).join(" ")} ${[...known].join(" ")} `;
  for (const use of needed) {
    const declare = hostValue(view, { host, place }, use);
    if (isNot(declare)) return declare;
    const same = steady.find((each) => isSame(view, each, { use, declare }));
    const name = same?.parameter ?? freshName(taken, use.text);
    if (same === undefined)
      added.push({ text: restricted(view, passed, { use, text: declare(name), name }), passed: use.text });
    names.set(use.text, name);
    taken += ` ${name} `;
  }
  const texts = parameterTexts(view);
  const renamed = (node: SyntaxNode): string => withNames(view, node, names);
  return {
    parameters: [
      ...steady.map(({ parameter }) => texts.get(parameter) ?? ""),
      ...added.map(({ text }) => text),
    ],
    passed: [...steady.map(({ node }) => collapse(node.text)), ...added.map((each) => each.passed)],
    lines: declarations.map(renamed),
    forwarded: passed.map(({ node, parameter, byTurn }) => (byTurn ? collapse(renamed(node)) : parameter)),
  };
}

/** What the head of a loop says of the type of its variable. */
function typesOf(loop: SyntaxNode): readonly SyntaxNode[] {
  const type = loop.childForFieldName("initializer")?.childForFieldName("type");
  return type ? [type] : [];
}

/** The pointer as one that nothing else leads to, where the kernel says so of the one place that it gets. */
function restricted(
  view: KernelView,
  passed: readonly Passed[],
  { use, text, name }: { readonly use: SyntaxNode; readonly text: string; readonly name: string },
): string {
  const [only, ...others] = passed.filter(({ node }) => usesOf(node, use.text).length > 0);
  const own = parameterTexts(view).get(only?.parameter ?? "") ?? "";
  const isOnly = others.length === 0 && /\b__restrict(?:__)?\b/.test(own);
  return isOnly ? text.replace(new RegExp(`\\* ?${name}$`), `* __restrict__ ${name}`) : text;
}

/** True for a parameter that is handed the host's variable as it is, with the same type. */
function isSame(
  view: KernelView,
  { node, parameter }: Passed,
  { use, declare }: { readonly use: SyntaxNode; readonly declare: Declare },
): boolean {
  const bare = (text: string): string =>
    text.replace(/\b(?:const|__restrict__|__restrict)\b/g, "").replace(/\s+/g, "");
  const own = parameterTexts(view).get(parameter) ?? "";
  return collapse(node.text) === use.text && bare(own) === bare(declare(parameter));
}

function parameterTexts({ kernel }: KernelView): ReadonlyMap<string, string> {
  const list = kernel.definition.descendantsOfType("parameter_list")[0];
  const nodes = list?.descendantsOfType("parameter_declaration") ?? [];
  return new Map(
    nodes.flatMap((node) => {
      const name = node.childForFieldName("declarator")?.descendantsOfType("identifier")[0];
      const own = name?.text ?? node.childForFieldName("declarator")?.text;
      return own === undefined ? [] : [[own, collapse(node.text)] as const];
    }),
  );
}

/** A part of the host's code by the names of the kernel. */
function withNames({ source }: KernelView, node: SyntaxNode, names: ReadonlyMap<string, string>): string {
  const own = node.type === "identifier" ? [node] : [];
  const uses = [...own, ...node.descendantsOfType("identifier")];
  const apart = uses.filter((use, place) => uses.findIndex(({ id }) => id === use.id) === place);
  const edits = apart.flatMap((use) => {
    const name = names.get(use.text);
    return name === undefined || name === use.text ? [] : [replaceNode(use, name)];
  });
  return editedText(source, { start: node.startIndex, end: node.endIndex }, edits);
}

function counted(blocks: string): string {
  return `static_cast<unsigned int>(${blocks})`;
}

function launchText(
  view: KernelView,
  { loop, launch }: TurnLaunch,
  { axis, passed }: { readonly axis: TurnAxis; readonly passed: readonly string[] },
): string {
  const { source } = view;
  const indent = indentOf(source, loop.loop);
  const plain = (text: string): string => (/^[\w.]+$/.test(text) ? text : `(${text})`);
  const end = loop.comparison === "<=" ? `${plain(loop.bound.text)} + 1` : loop.bound.text;
  const start = loop.start.text;
  const configuration = launch.call.children.find(({ type }) => type === "kernel_call_syntax");
  const callee = source.slice(launch.call.startIndex, configuration?.startIndex ?? launch.call.startIndex);
  const written = (blocks: string, first: string): string => {
    const extents = axis.extents.map((extent, place) => (place === axis.place ? blocks : extent));
    while (extents.at(-1) === "1") extents.pop();
    const grid = extents.length === 1 ? blocks : `dim3(${extents.join(", ")})`;
    const range = { start: configuration?.startIndex ?? 0, end: configuration?.endIndex ?? 0 };
    const chevrons = editedText(source, range, [replaceNode(axis.written, grid)]);
    return `${callee}${chevrons}(${[...passed, first].join(", ")});`;
  };
  const rest = (from: string): string => (from === "0" ? end : `${plain(end)} - ${plain(from)}`);
  if (axis.place === 0) return `if (${start} < ${end})\n${indent}  ${written(counted(rest(start)), start)}`;
  const left = rest(loop.variable);
  const blocks = counted(`${left} < ${mostBlocks} ? ${left} : ${mostBlocks}`);
  const next = `${loop.variable} += ${mostBlocks}`;
  const head = `for (${loop.type} ${loop.variable} = ${start}; ${loop.variable} < ${end}; ${next})`;
  return `${head}\n${indent}  ${written(blocks, loop.variable)}`;
}
