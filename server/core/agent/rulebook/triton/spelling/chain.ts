import { isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TritonModel } from "../../../../language/triton/model";
import { editedTree, freshName, type TextEdit } from "../../edits";
import type { RuleInput } from "../../rule";
import { inlinedEdits, type Wrapper, wrapperOf } from "./inlined";
import { moved } from "./moved";
import { chainOfMost, isEntry, placedAtEnd, readSource } from "./read";
import { torchAsKernels } from "./torch/index";

/** More calls than a function has that anyone reads. */
const MOST = 12;

/**
 * The file with one function that makes all launches of a chain: functions that launch are written where they
 * are called, and stay as they are for others, with kernels of their own; what torch does by elements to what
 * a launch takes or leaves is a kernel as well. It means the same. Undefined where there is no chain.
 */
export function chainSpelling(input: RuleInput): RuleInput | undefined {
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
 * The function that makes several launches, one of them that of the kernel, where some are made by others;
 * or the one that is called, though it makes one alone: torch may work beside that.
 */
function chainOf(
  input: RuleInput,
  { root, launches }: TritonModel,
  wrappers: readonly Wrapper[],
): SyntaxNode | undefined {
  const { kernel } = input;
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
    return calls > 0 && (calls + own > 1 || isEntry(input, definition)) && leadsTo(definition);
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
