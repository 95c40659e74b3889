import { changes } from "../../../../language/cuda/body/scope";
import { enclosing, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode } from "../../edits";
import type { KernelView } from "../kernel";
import { bitFunctions } from "./bit-functions";
import { bare, type BitWork, isZeroBefore, variableType, writtenOf } from "./bit-work";
import { ranOn } from "./run-statements";
import { samplesOf } from "./samples";
import { type Whole, wholeOf, type WholeType } from "./whole-numbers";

const loops = ["for_statement", "while_statement", "do_statement"];

/** Loops of the kernel over the bits of a number, or of what two numbers have in common. */
export function bitLoops(view: KernelView): readonly BitWork[] {
  const found: BitWork[] = [];
  for (const loop of view.body.descendantsOfType(loops)) {
    const inside = found.some(({ node }) => isInside(loop, node));
    const work = inside ? undefined : bitLoop(view, loop);
    if (work !== undefined) found.push(work);
  }
  return found;
}

interface Variables {
  /** What the loop is seen to make. */
  readonly sum: string;
  readonly sumType: WholeType;
  /** What it makes it of. */
  readonly sources: readonly string[];
  readonly bits: number;
  readonly types: ReadonlyMap<string, WholeType>;
}

function bitLoop(view: KernelView, loop: SyntaxNode): BitWork | undefined {
  const strange = ["call_expression", "subscript_expression", "pointer_expression", "field_expression"];
  if (loop.descendantsOfType([...strange, "return_statement"]).length > 0) return undefined;
  const found = variablesOf(view, loop);
  if (found === undefined) return undefined;
  const { sum, sources, bits } = found;
  const zero = isZeroBefore(view, sum, loop);
  for (const { text: number, of: joined } of joinings(sources)) {
    const runs = runsOf(view, loop, found, joined);
    if (runs === undefined) return undefined;
    for (const each of bitFunctions) {
      const text = writtenOf(each, bits, number);
      const way = text === "" ? undefined : wayOf(runs, (value) => each.of(value, bits), found.sumType);
      if (way === undefined || (way === "from zero" && !zero)) continue;
      const { previousNamedSibling: pragma } = loop;
      const unrolled = pragma?.type === "preproc_call" ? [replaceNode(pragma, "")] : [];
      const written = `${sum} ${way === "adds" ? "+=" : "="} ${bare(text)};`;
      return { node: loop, words: each.words, text, edits: [...unrolled, replaceNode(loop, written)] };
    }
  }
  return undefined;
}

/** The variables of a loop by what it does with them; undefined where it does something else as well. */
function variablesOf(view: KernelView, loop: SyntaxNode): Variables | undefined {
  const declared = new Set(
    loop
      .descendantsOfType("declaration")
      .flatMap((node) => node.childrenForFieldName("declarator"))
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []),
  );
  const names = new Set(loop.descendantsOfType("identifier").map(({ text }) => text));
  const outer = [...names].filter((name) => !declared.has(name));
  const types = new Map<string, WholeType>();
  for (const name of outer) {
    const type = variableType(view, name);
    if (type !== undefined) types.set(name, type);
  }
  const changed = new Set(changes(loop).map(({ target }) => target.text));
  const [sum, ...others] = [...types.keys()].filter((name) => changed.has(name) && isSeen(view, loop, name));
  const sumType = sum === undefined ? undefined : types.get(sum);
  const sources = [...types.keys()].filter((name) => name !== sum);
  const widths = new Set(sources.map((name) => (types.get(name)?.bits === 64 ? 64 : 32)));
  const [bits, ...more] = widths;
  if (sum === undefined || sumType === undefined || others.length > 0 || bits === undefined) return undefined;
  return more.length > 0 || sources.length > 2 ? undefined : { sum, sumType, sources, bits, types };
}

/** True for a variable that is looked at behind the loop, or in its next run. */
function isSeen({ body }: KernelView, loop: SyntaxNode, name: string): boolean {
  const uses = usesOf(body, name);
  if (uses.some(({ startIndex }) => startIndex >= loop.endIndex)) return true;
  const around = enclosing(loop, ...loops);
  const [first] = uses;
  return around !== undefined && isInside(around, body) && (first === undefined || !isInside(first, around));
}

interface Joining {
  readonly text: string;
  readonly of: (values: readonly bigint[]) => bigint;
}

/** How one number is made of the sources. */
function joinings([one = "", other]: readonly string[]): readonly Joining[] {
  if (other === undefined) return [{ text: one, of: ([a = 0n]) => a }];
  return [
    { text: `${one} ^ ${other}`, of: ([a = 0n, b = 0n]) => a ^ b },
    { text: `${one} & ${other}`, of: ([a = 0n, b = 0n]) => a & b },
    { text: `${one} | ${other}`, of: ([a = 0n, b = 0n]) => a | b },
  ];
}

interface Run {
  readonly value: bigint;
  readonly before: bigint;
  readonly after: Whole | undefined;
}

/** What the loop makes of numbers; undefined where it is not to be run. */
function runsOf(
  view: KernelView,
  loop: SyntaxNode,
  { sum, sumType, sources, bits, types }: Variables,
  joined: Joining["of"],
): readonly Run[] | undefined {
  const samples = samplesOf(bits);
  const runs = samples.map((sample, place): Run => {
    const other = samples[(place * 7 + 3) % samples.length] ?? 0n;
    const values = [sample, other].slice(0, sources.length);
    const before = wholeOf([0n, 5n, 17n][place % 3] ?? 0n, sumType);
    const start = new Map<string, Whole>([[sum, before]]);
    for (const [at, name] of sources.entries())
      start.set(name, wholeOf(values[at] ?? 0n, types.get(name) ?? sumType));
    const given = sources.map((name) => BigInt.asUintN(bits, start.get(name)?.value ?? 0n));
    const ran = ranOn([loop], start, (node) => view.scope.value(node));
    return { value: joined(given), before: before.value, after: ran?.values.get(sum) };
  });
  const left = runs.filter(({ after }) => after === undefined);
  return left.every(({ value }) => value === 0n) && left.length <= 3 ? runs : undefined;
}

/** How a sum follows from a function of the number: it is added to, or set, perhaps from zero alone. */
function wayOf(
  runs: readonly Run[],
  made: (value: bigint) => bigint,
  type: WholeType,
): "adds" | "sets" | "from zero" | undefined {
  const done = runs.filter(({ after }) => after !== undefined);
  const holds = (wanted: (run: Run) => bigint, which = done): boolean =>
    which.every((run) => wholeOf(wanted(run), type).value === run.after?.value);
  if (holds(({ before, value }) => before + made(value))) return "adds";
  if (holds(({ value }) => made(value))) return "sets";
  const zero = done.filter(({ before }) => before === 0n);
  return holds(({ value }) => made(value), zero) ? "from zero" : undefined;
}
