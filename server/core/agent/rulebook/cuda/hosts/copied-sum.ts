import { compact, operands, partsOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import { type RuntimeCall, runtimeStatements } from "./host-code";

/** How a loop combines what it has with the next value: statements over `{so}` and `{next}`. */
type Combination = string;

/** A vector that is copied to the host, where a loop makes one number of it and nothing else looks at it. */
export interface CopiedSum {
  /** The function that copies it. */
  readonly host: SyntaxNode;
  readonly copy: RuntimeCall;
  readonly loop: SyntaxNode;
  /** Where the vector lies on the GPU, and how many elements of which type it has, as texts. */
  readonly source: string;
  readonly count: string;
  readonly element: string;
  /** The number, its type, and what of an element `value` goes into it. */
  readonly result: string;
  readonly type: string;
  readonly taken: string;
  readonly combination: Combination;
  /** The vector of the host, with the statements that only it needs. */
  readonly leftover: readonly SyntaxNode[];
}

const plainNumbers = /^(?:float|double|unsigned|size_t|u?int(?:8|16|32|64)_t)$/;
const wholeNumbers = /^(?:unsigned |signed )?(?:int|short|char|long|long long)$/;

function isNumber(type: string): boolean {
  return plainNumbers.test(type) || wholeNumbers.test(type);
}

/** The first such vector of a function of the host; a guard's answer where there is none. */
export function copiedSum(host: SyntaxNode): CopiedSum | RuleHold {
  const copies = runtimeStatements(host, /^cudaMemcpy$/).filter(
    ({ given }) => compact(given[3]) === "cudaMemcpyDeviceToHost",
  );
  if (copies.length === 0) return not("no-pattern", "no copy that waits takes a vector to the host", host);
  const found = copies.map((copy) => summed(host, copy));
  const [first] = found.flatMap((each) => (isNot(each) ? [] : [each]));
  return first ?? (found[0] as RuleHold);
}

function summed(host: SyntaxNode, copy: RuntimeCall): CopiedSum | RuleHold {
  const [target, source, bytes] = copy.given;
  const name = /^(?:(\w+)|(\w+)\.data\(\)|&(\w+)\[0\])$/.exec(compact(target))?.slice(1).find(Boolean);
  const size = bytes && sizeIn(bytes);
  if (name === undefined || source === undefined || size === undefined)
    return not("no-pattern", "what is copied to the host is no vector of a known size", copy.call);
  const statements = partsOf(copy.statement.parent);
  const place = statements.findIndex(({ id }) => id === copy.statement.id);
  const loop = statements.slice(place + 1).find((each) => usesOf(each, name).length > 0);
  const turn = loop && turnOf(loop, name, size.count);
  if (loop === undefined || turn === undefined)
    return not("no-pattern", `no loop over all of ${name} follows its copy to the host`, copy.call);
  const step = combinedIn(turn.body, turn.element);
  if (step === undefined)
    return not("no-rewrite", `the loop over ${name} does more than to combine its elements`, loop);
  const type = declaredType(host, step.result);
  if (type === undefined) return not("no-rewrite", `what ${step.result} is declared as is not known`, loop);
  const leftover = leftoverOf(host, name, [copy.statement, loop]);
  if (leftover === undefined) return not("dependence", `${name} is used elsewhere as well`, copy.call);
  const made = leftover.find(({ startIndex }) => startIndex < copy.statement.startIndex);
  if (made === undefined) return not("dependence", `${name} lives longer than the function`, copy.call);
  const isWhole = [`${name}(${size.count.replace(/\s/g, "")})`, `[${size.count.replace(/\s/g, "")}]`];
  if (!isWhole.some((size) => compact(made).includes(size)))
    return not("dependence", `${name} may have more elements than are copied`, made);
  return { ...step, ...size, host, copy, loop, type, leftover, source: source.text };
}

/** `count * sizeof(T)` in either order. */
function sizeIn(bytes: SyntaxNode): { readonly count: string; readonly element: string } | undefined {
  const factors = operands(unwrapped(bytes), "*");
  const element = factors.flatMap(({ text }) => /^sizeof\s*\(\s*([\w ]+?)\s*\)$/.exec(text)?.[1] ?? [])[0];
  const counts = factors.filter(({ text }) => !text.startsWith("sizeof"));
  if (element === undefined || !isNumber(element) || counts.length !== factors.length - 1) return undefined;
  return { element, count: counts.map(({ text }) => text).join(" * ") };
}

/** The body of a loop that goes once through a vector, and how it calls the element. */
function turnOf(
  loop: SyntaxNode,
  name: string,
  count: string,
): { readonly body: SyntaxNode; readonly element: string } | undefined {
  const body = loop.childForFieldName("body");
  if (body === null) return undefined;
  const head = compact(loop).slice(0, compact(loop).length - compact(body).length);
  const each = /^for\((?:const)?(?:auto|float|double|int|unsigned)&?(\w+):(\w+)\)$/.exec(head);
  if (each !== null) return each[2] === name ? { body, element: each[1] ?? "" } : undefined;
  const [, index, until] = /^for\([a-z_]+?(\w+)=0u?;\1<([^;]+);(?:\+\+\1|\1\+\+|\1\+=1)\)$/.exec(head) ?? [];
  const whole = new Set([count.replace(/\s/g, ""), `${name}.size()`]);
  return index !== undefined && whole.has(until ?? "") ? { body, element: `${name}[${index}]` } : undefined;
}

const functions = "fabsf|fabs|sqrtf|sqrt|std::abs|std::fabs|std::sqrt|abs|static_cast|float|double|int|value";
const pure = new RegExp(`^(?:(?:${functions})\\b|[\\d.]+(?:e[+-]?\\d+)?[fFuUlL]*|[-+*/()<>,]|\\s)+$`);

/** What a turn puts into which number, and how. */
type Step = Pick<CopiedSum, "result" | "taken" | "combination">;

/** What a turn does, if that is to put a function of its element into one number. */
function combinedIn(body: SyntaxNode, element: string): Step | undefined {
  const inner = body.type === "compound_statement" ? partsOf(body) : [body];
  const text = inner.length === 1 ? compact(inner[0]) : "";
  const found = addedIn(text) ?? chosenIn(text) ?? testedIn(text);
  if (found === undefined) return undefined;
  const taken = found.taken.split(element).join("value");
  return taken.includes("value") && pure.test(taken) ? { ...found, taken } : undefined;
}

function addedIn(text: string): Step | undefined {
  const [, result, taken] = /^(\w+)\+=(.+);$/.exec(text) ?? [];
  return result === undefined || taken === undefined
    ? undefined
    : { result, taken, combination: "{so} += {next};" };
}

function chosenIn(text: string): Step | undefined {
  const [, result, how, again, taken] =
    /^(\w+)=(fmaxf?|fminf?|(?:std::)?(?:max|min))(?:<\w+>)?\((\w+),(.+)\);$/.exec(text) ?? [];
  if (result === undefined || result !== again || taken === undefined) return undefined;
  return { result, taken, combination: extremeOf(how ?? "") };
}

function testedIn(text: string): Step | undefined {
  const [, tested, sign = "", than, result, taken] =
    /^if\((.+?)([<>])(\w+)\)\{?(\w+)=(.+?);\}?$/.exec(text) ?? [];
  if (result === undefined || result !== than || taken === undefined || tested !== taken) return undefined;
  return { result, taken, combination: `if ({next} ${sign} {so}) {so} = {next};` };
}

function extremeOf(name: string): Combination {
  if (/^fm/.test(name)) return `{so} = ${name}({so}, {next});`;
  return name.endsWith("max") ? "if ({so} < {next}) {so} = {next};" : "if ({next} < {so}) {so} = {next};";
}

/** The type of a plain variable of the function. */
function declaredType(host: SyntaxNode, name: string): string | undefined {
  const types = host.descendantsOfType("declaration").flatMap((declaration) => {
    const isIt = declaration
      .childrenForFieldName("declarator")
      .some((each) => (each.childForFieldName("declarator") ?? each).text === name);
    return isIt ? [declaration.childForFieldName("type")?.text ?? ""] : [];
  });
  const [type, ...more] = types;
  return type !== undefined && more.length === 0 && isNumber(type) ? type : undefined;
}

/** Statements that only the copy and the loop need; undefined where something else uses the vector. */
function leftoverOf(
  host: SyntaxNode,
  name: string,
  known: readonly SyntaxNode[],
): readonly SyntaxNode[] | undefined {
  const statements = new Map<number, SyntaxNode>();
  for (const use of usesOf(host, name)) {
    const statement = statementAround(use);
    if (statement === undefined) return undefined;
    if (known.some((each) => each.startIndex <= use.startIndex && use.endIndex <= each.endIndex)) continue;
    const text = compact(statement);
    const isMade =
      new RegExp(`^(?:std::)?vector<[\\w ]+>${name}\\([^(){};]*\\);$`).test(text) ||
      new RegExp(`^[\\w ]+\\*${name}=(?:new\\w+\\[.*\\]|\\(\\w+\\*\\)malloc\\(.*\\));$`).test(text);
    const isFreed = [`delete[]${name};`, `free(${name});`].includes(text);
    if (!isMade && !isFreed) return undefined;
    statements.set(statement.id, statement);
  }
  return [...statements.values()];
}

function statementAround(use: SyntaxNode): SyntaxNode | undefined {
  for (let node: SyntaxNode | null = use; node !== null; node = node.parent)
    if (node.parent?.type === "compound_statement") return node;
  return undefined;
}
