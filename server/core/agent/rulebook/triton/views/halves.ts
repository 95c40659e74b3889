import { compact, fieldText, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { insertBefore, indentOf, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import type { TritonView } from "../kernel";
import { methodCall } from "./copied-view";
import { flatLoads } from "./flat-index";
import { newConstants, placedEdits } from "./places";

/** `gate, up = both.chunk(2, dim=-1)`: parts of each row. */
interface Parts {
  readonly statement: SyntaxNode;
  readonly whole: string;
  readonly names: readonly string[];
}

/** A part that the host copies before it launches. */
interface CopiedPart {
  readonly name: string;
  readonly parameter: string;
  /** `gate.contiguous()`. */
  readonly copy: SyntaxNode;
}

/**
 * Reads parts of rows where they lie, which the host copies to the kernel's flat order; undefined where it
 * copies none, a guard's answer where they are used for more.
 */
export function halvesRead(
  view: TritonView,
): { readonly copy: SyntaxNode; readonly edits: readonly TextEdit[] } | RuleHold | undefined {
  const { host, source } = view;
  const parts = partsIn(host);
  if (parts === undefined) return undefined;
  const copied = parts.names.flatMap((name) => copiedPart(view, parts, name) ?? []);
  const [first] = copied;
  if (first === undefined) return undefined;
  const width = `${first.parameter}_width`;
  const edits: TextEdit[] = [];
  for (const part of copied) {
    const read = partEdits(view, parts, { part, width });
    if (isNot(read)) return read;
    edits.push(...read);
  }
  const { whole, statement } = parts;
  const lengths = copied.map(({ parameter, name }) => ({
    name: `${parameter}_length`,
    value: `${name}.shape[-1]`,
  }));
  // Rows lie behind each other in what is whole: that copies nothing where it is so already.
  const opening = `${whole} = ${whole}.contiguous()\n${indentOf(source, statement)}`;
  return {
    copy: first.copy,
    edits: [
      insertBefore(statement, opening),
      ...edits,
      ...newConstants(view, [{ name: width, value: `${whole}.shape[-1]` }, ...lengths]),
    ],
  };
}

interface PartRead {
  readonly part: CopiedPart;
  /** The parameter that is the length of a whole row. */
  readonly width: string;
}

/** A part that is not copied, and the places in the kernel that its loads read from then. */
function partEdits(of: TritonView, own: Parts, { part, width }: PartRead): readonly TextEdit[] | RuleHold {
  const { parameter, name, copy } = part;
  const loads = flatLoads(of, parameter);
  if (isNot(loads)) return loads;
  const length = `${parameter}_length`;
  const place = (at: string): string => `${at} // ${length} * ${width} + ${at} % ${length}`;
  const placed = placedEdits(of, part, loads.loads, place);
  const statement = copy.parent?.type === "assignment" ? copy.parent : undefined;
  const uses = usesOf(of.host, name).filter(
    (use) => use.startIndex > own.statement.endIndex && !(statement && isInside(use, statement)),
  );
  const models = uses.filter(isModel);
  const other = uses.find((use) => !isModel(use) && !asksShape(use) && !isInside(use, of.launch.call));
  const strided = uses.find(({ parent }) => fieldText(parent, "attribute") === "stride");
  if (strided !== undefined || other !== undefined)
    return not("fixed-elsewhere", `${name} is used for more than the launch`, strided ?? other ?? copy);
  return [
    ...(statement === undefined
      ? [{ start: copy.endIndex - ".contiguous()".length, end: copy.endIndex, text: "" }]
      : removedLine(of.source, statement)),
    ...placed,
    ...loads.pointers.flatMap((node) => removedLine(of.source, node)),
    ...models.map((use) => ({
      start: use.endIndex,
      end: use.endIndex,
      text: ", memory_format=torch.contiguous_format",
    })),
  ];
}

/** A statement taken away with its line. */
function removedLine(source: string, { startIndex, endIndex }: SyntaxNode): readonly TextEdit[] {
  const end = source.indexOf("\n", endIndex) + 1;
  return end === 0 ? [] : [{ start: source.lastIndexOf("\n", startIndex) + 1, end, text: "" }];
}

/** The only statement of a function that takes rows apart: `a, b = x.chunk(2, dim=-1)`, `x.split(n, -1)`. */
function partsIn(host: SyntaxNode): Parts | undefined {
  const found = host.descendantsOfType("assignment").flatMap((act) => partsOfRows(act) ?? []);
  return found.length === 1 ? found[0] : undefined;
}

function partsOfRows(act: SyntaxNode): Parts | undefined {
  const [left, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
  const names = left && /^(?:pattern_list|tuple_pattern)$/.test(left.type) ? partsOf(left) : [];
  const call = right ? methodCall(right) : undefined;
  const statement = act.parent;
  if (call === undefined || !/^(?:chunk|split)$/.test(call.method)) return undefined;
  if (statement?.type !== "expression_statement") return undefined;
  const [count, dimension] = call.given;
  // What `split` is given is how long parts are: each says that itself.
  const isWhole = call.method === "split" || count?.text === String(names.length);
  const plain = [call.object, ...names].every(({ type }) => type === "identifier");
  if (!plain || !isLast(dimension) || !isWhole) return undefined;
  return { statement, whole: call.object.text, names: names.map(({ text }) => text) };
}

/** `-1`, `dim=-1`. */
function isLast(dimension: SyntaxNode | undefined): boolean {
  const value = dimension?.type === "keyword_argument" ? fieldText(dimension, "value") : dimension?.text;
  return value === "-1";
}

/** A part that is passed as `name.contiguous()`, or under its name behind `name = name.contiguous()`. */
function copiedPart(
  { host, launch, parameters }: TritonView,
  parts: Parts,
  name: string,
): CopiedPart | undefined {
  const passed = [
    ...launch.positional.map((node, place) => ({ node, parameter: parameters[place]?.name ?? "" })),
    ...[...launch.keywords].map(([parameter, node]) => ({ node, parameter })),
  ];
  const text = `${name}.contiguous()`;
  const direct = passed.find(({ node }) => compact(node) === text);
  if (direct !== undefined) return { name, parameter: direct.parameter, copy: direct.node };
  const under = passed.find(({ node }) => node.text === name);
  const [again, ...more] = host
    .descendantsOfType("assignment")
    .filter((act) => !isInside(act, parts.statement) && act.childForFieldName("left")?.text === name);
  const copy = again?.childForFieldName("right");
  if (under === undefined || !copy || more.length > 0 || compact(copy) !== text) return undefined;
  return { name, parameter: under.parameter, copy };
}

/** `x.shape`, `x.numel()` and the like. */
function asksShape({ parent }: SyntaxNode): boolean {
  const asked = /^(?:shape|numel|size|device|dtype|ndim|dim)$/;
  return parent?.type === "attribute" && asked.test(fieldText(parent, "attribute"));
}

/** `torch.empty_like(x)`: memory in the order of `x`. */
function isModel({ parent }: SyntaxNode): boolean {
  const made = parent?.type === "argument_list" ? parent.parent : undefined;
  const like = /^torch\.(?:empty|zeros|ones)_like$/.test(compact(made?.childForFieldName("function")));
  return like && !/memory_format/.test(made?.text ?? "");
}
