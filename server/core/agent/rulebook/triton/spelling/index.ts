import { isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { readTriton, type TritonModel } from "../../../../language/triton/model";
import { editedTree, freshName, type TextEdit } from "../../edits";
import type { RuleInput } from "../../rule";
import { asKernel, torchWork } from "./torch-work";
import { eachLaunchApart } from "./each-launch";
import { configurationWrittenOut, heuristicsWrittenOut } from "./decorators";
import { functionsWrittenOut } from "./device-functions";
import { guardsAsMasks } from "./guards";
import { moved } from "./moved";
import { keywordsWrittenOut } from "./keywords";
import { stridesWrittenOut } from "./strides";
import { tuplesWrittenOut } from "./tuples";
import { inlinedEdits, type Wrapper, wrapperOf } from "./inlined";

/** More calls than a function has that anyone reads. */
const MOST = 12;

/**
 * The spellings in which rules read a kernel beside its own: with what decorators compute written out, with
 * strides by name, a chain of launches as one function, and what the kernel calls written out.
 */
export function tritonSpellings(input: RuleInput): readonly RuleInput[] {
  const found: RuleInput[] = [];
  const spellings = [
    eachLaunchApart,
    (plain: RuleInput) => edited(plain, configurationWrittenOut),
    (plain: RuleInput) => edited(plain, heuristicsWrittenOut),
    (plain: RuleInput) => edited(plain, keywordsWrittenOut),
    (plain: RuleInput) => edited(plain, stridesWrittenOut),
    (plain: RuleInput) => edited(plain, tuplesWrittenOut),
    (plain: RuleInput) => edited(plain, guardsAsMasks),
    chainSpelling,
    eachLaunchApart,
    functionsWrittenOut,
  ];
  for (const spell of spellings) {
    const next = spell(found.at(-1) ?? input);
    if (next !== undefined) found.push(next);
  }
  return found;
}

/** The file with edits that mean the same; undefined where there are none. */
function edited(
  input: RuleInput,
  editsFor: (model: TritonModel, kernel: string, source: string) => readonly TextEdit[] | undefined,
): RuleInput | undefined {
  const read = readSource(input);
  const edits = read && editsFor(read.model, input.kernel, read.source);
  if (read === undefined || edits === undefined) return undefined;
  return { ...input, tree: editedTree(input, edits), counters: moved(input, read.source, edits) };
}

/**
 * The file with one function that makes all launches of a chain: functions that launch are written where they
 * are called, and stay as they are for others, with kernels of their own; what torch does by elements to what
 * a launch takes or leaves is a kernel as well. It means the same. Undefined where there is no chain.
 */
function chainSpelling(input: RuleInput): RuleInput | undefined {
  let plain = input;
  for (let place = 0; place < MOST; place += 1) {
    const next = oneInlined(plain);
    if (next === undefined) break;
    plain = next;
  }
  const apart = plain === input ? input : (kernelsApart(plain, input) ?? input);
  const worked = torchAsKernels(apart);
  return worked === input ? undefined : worked;
}

/** What torch does by elements beside the kernel's launch, as kernels and launches. */
function torchAsKernels(input: RuleInput): RuleInput {
  let plain = input;
  for (let place = 0; place < MOST; place += 1) {
    const read = readSource(plain);
    const host = read && chainOfMost(plain, read.model);
    if (read === undefined || host === undefined || !hasUsualNames(read.source)) break;
    const work = torchWork(plain, read.model, host);
    if (work === undefined) break;
    const { edit, kernel } = asKernel(read.source, host, work);
    const edits = [edit, placedAtEnd(read, [kernel])];
    plain = { ...plain, tree: editedTree(plain, edits), counters: moved(plain, read.source, edits) };
  }
  return plain;
}

/** The kernels that are written out use these. */
function hasUsualNames(source: string): boolean {
  const modules = /^import (?:torch|triton)(?:, (?:torch|triton))*$/m;
  return modules.test(source) && /\btorch\b/.test(source) && /^import triton\.language as tl$/m.test(source);
}

/** Definitions behind all others, in front of what runs as a program. */
function placedAtEnd({ source, model }: Read, texts: readonly string[]): TextEdit {
  const main = mainOf(model.root);
  const end = main ?? source.length;
  const text = texts.map((each) => (main === undefined ? `\n\n${each}\n` : `${each}\n\n\n`)).join("");
  return { start: end, end, text };
}

interface Read {
  readonly source: string;
  readonly model: TritonModel;
}

function readSource({ tree, file, parse }: RuleInput): Read | undefined {
  const source = tree[file];
  const root = source === undefined ? undefined : parse(file, source);
  return source === undefined || root === undefined || root.hasError
    ? undefined
    : { source, model: readTriton(root) };
}

function oneInlined(input: RuleInput): RuleInput | undefined {
  const read = readSource(input);
  if (read === undefined) return undefined;
  const { source, model } = read;
  const wrappers = launchingWrappers(model);
  const host = chainOf(input, model, wrappers);
  const call = host && callsOf(host, wrappers).find((each) => callsOf(each, wrappers).length === 1);
  const wrapper = call && wrappers.find(({ name }) => name === call.childForFieldName("function")?.text);
  const edits = call && wrapper ? inlinedEdits(source, wrapper, call)?.edits : undefined;
  return edits === undefined
    ? undefined
    : { ...input, tree: editedTree(input, edits), counters: moved(input, source, edits) };
}

/** Functions of the file that launch, themselves or through others. */
function launchingWrappers({ root, launches }: TritonModel): readonly Wrapper[] {
  const all = root.descendantsOfType("function_definition").flatMap((node) => wrapperOf(node) ?? []);
  const found = new Set(
    all.filter(({ definition }) => launches.some(({ call }) => isInside(call, definition))),
  );
  for (let grown = true; grown;) {
    const more = all.filter((each) => !found.has(each) && callsOf(each.definition, [...found]).length > 0);
    for (const each of more) found.add(each);
    grown = more.length > 0;
  }
  return [...found];
}

function callsOf(node: SyntaxNode, wrappers: readonly Wrapper[]): readonly SyntaxNode[] {
  return node.descendantsOfType("call").filter((call) => {
    const callee = call.childForFieldName("function");
    return callee?.type === "identifier" && wrappers.some(({ name }) => name === callee.text);
  });
}

/**
 * The function that makes several launches, one of them that of the kernel, where some are made by others.
 */
function chainOf(
  { kernel }: RuleInput,
  { root, launches }: TritonModel,
  wrappers: readonly Wrapper[],
): SyntaxNode | undefined {
  const leadsTo = (definition: SyntaxNode, depth = 0): boolean =>
    launches.some(({ site, call }) => site.kernel === kernel && isInside(call, definition)) ||
    (depth < 4 &&
      callsOf(definition, wrappers).some((call) => {
        const name = call.childForFieldName("function")?.text;
        const called = wrappers.find((wrapper) => wrapper.name === name);
        return (
          called !== undefined &&
          called.definition.id !== definition.id &&
          leadsTo(called.definition, depth + 1)
        );
      }));
  return root.descendantsOfType("function_definition").find((definition) => {
    const calls = callsOf(definition, wrappers).length;
    const own = launches.filter(({ call }) => isInside(call, definition)).length;
    return calls > 0 && calls + own > 1 && leadsTo(definition);
  });
}

/** Kernels that two functions launch now: the older function gets a copy under another name. */
function kernelsApart(plain: RuleInput, input: RuleInput): RuleInput | undefined {
  const read = readSource(plain);
  if (read === undefined) return undefined;
  const { source, model } = read;
  const chain = chainOfMost(input, model);
  const edits: TextEdit[] = [];
  const copies: string[] = [];
  for (const { facts, definition } of model.kernels) {
    const launches = model.launches.filter(({ site }) => site.kernel === facts.name);
    const others = launches.filter(({ call }) => chain === undefined || !isInside(call, chain));
    if (launches.length < 2 || others.length === launches.length) continue;
    const name = freshName(source, `${facts.name}_alone`);
    const decorated = definition.parent ?? definition;
    copies.push(decorated.text.replace(new RegExp(`\\bdef ${facts.name}\\b`), `def ${name}`));
    for (const { call } of others) {
      const [use] = usesOf(call.childForFieldName("function") ?? call, facts.name);
      if (use !== undefined) edits.push({ start: use.startIndex, end: use.endIndex, text: name });
    }
  }
  const all = copies.length === 0 ? edits : [...edits, placedAtEnd(read, copies)];
  return { ...plain, tree: editedTree(plain, all) };
}

/** The function with the most launches, that of the kernel among them. */
function chainOfMost({ kernel }: RuleInput, { root, launches }: TritonModel): SyntaxNode | undefined {
  const countIn = (definition: SyntaxNode): number =>
    launches.filter(({ call }) => isInside(call, definition)).length;
  return root
    .descendantsOfType("function_definition")
    .filter((node) => launches.some(({ site, call }) => site.kernel === kernel && isInside(call, node)))
    .sort((a, b) => countIn(b) - countIn(a))[0];
}

/** Where `if __name__ == "__main__":` begins. */
function mainOf(root: SyntaxNode): number | undefined {
  return partsOf(root).find((part) => part.type === "if_statement" && part.text.includes("__name__"))
    ?.startIndex;
}
