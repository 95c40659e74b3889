import { compact, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TritonKernel } from "../../../../language/triton/kernels";
import type { TritonLaunch } from "../../../../language/triton/launches";
import { readTriton, type TritonModel } from "../../../../language/triton/model";
import { editedTree, freshName, type TextEdit } from "../../edits";
import type { RuleInput } from "../../rule";

/** More launches of one kernel than anyone reads. */
const MOST = 8;

/** A kernel under another name, for some of its launches. */
interface Copy {
  readonly kernel: string;
  readonly name: string;
  /** The kernel with its decorators, as it stands, and as it stands under the other name. */
  readonly original: string;
  readonly text: string;
}

interface Copies {
  readonly edits: readonly TextEdit[];
  readonly copies: readonly Copy[];
  /** The judged kernel with its decorators, where one function makes all of its launches. */
  readonly shared: SyntaxNode | undefined;
}

/**
 * The file with a kernel for each launch, where the host launches the judged one, or one beside it, at
 * several places: the launch that the entry makes first keeps the name, and the others get copies at the end
 * of the file. It means the same. Undefined where each is launched once, or they cannot be told apart.
 */
export function eachLaunchApart(input: RuleInput): RuleInput | undefined {
  const source = input.tree[input.file];
  const found = source === undefined ? undefined : copiesFor(input, source);
  return found && { ...input, tree: editedTree(input, found.edits) };
}

/**
 * A rewrite of the file without kernels that a spelling has made and the rewrite does not need. Where it
 * changes the judged kernel alone, and one function makes all of its launches, the rewritten one serves them
 * all, which the judge checks.
 */
export function launchedTogether(input: RuleInput, tree: RuleInput["tree"]): RuleInput["tree"] {
  const [source, after] = [input.tree[input.file], tree[input.file]];
  if (source === undefined || after === undefined) return tree;
  const found = copiesFor(input, source);
  const together = found && withoutCopies(servingAll(input, { source, after, found }) ?? after, found.copies);
  return { ...tree, [input.file]: withoutUnused(input, source, together ?? after) };
}

/** A file without kernels that nothing names, of those that were not there before or do torch's work. */
function withoutUnused(input: RuleInput, before: string, text: string): string {
  const mayHold = /\bby_elements\d*\b|_(?:\d+|alone)\b/.test(text);
  const root = mayHold ? input.parse(input.file, text) : undefined;
  if (root === undefined || root.hasError) return text;
  const gone = readTriton(root).kernels.filter(({ facts: { name } }) => {
    const isOurs = /^by_elements\d*$/.test(name) || !new RegExp(`\\bdef\\s+${name}\\b`).test(before);
    return isOurs && name !== input.kernel && usesOf(root, name).length === 1;
  });
  return gone
    .map((kernel) => decoratedOf(kernel))
    .sort((a, b) => b.startIndex - a.startIndex)
    .reduce((kept, { startIndex, endIndex }) => cutOut(kept, startIndex, endIndex), text);
}

/** A text without a definition and the blank lines in front of it. */
function cutOut(text: string, start: number, end: number): string {
  const before = text.slice(0, start).trimEnd();
  const behind = text.slice(end);
  return behind.trim() === "" ? `${before}\n` : `${before}${behind}`;
}

interface Rewritten {
  readonly source: string;
  readonly after: string;
  readonly found: Copies;
}

/** The file with the rewritten kernel for all launches; undefined where more has changed. */
function servingAll(input: RuleInput, { source, after, found }: Rewritten): string | undefined {
  const { edits, shared } = found;
  if (shared === undefined || edits.some((edit) => edit.start < shared.endIndex)) return undefined;
  const apart = editedTree(input, edits)[input.file] ?? "";
  const [before, behind] = [source.slice(0, shared.startIndex), apart.slice(shared.endIndex)];
  const isAlone = after.startsWith(before) && after.endsWith(behind);
  if (!isAlone || after.length < before.length + behind.length) return undefined;
  const kernel = after.slice(before.length, after.length - behind.length);
  return `${before}${kernel}${source.slice(shared.endIndex)}`;
}

/** Copies that stand as they were made beside what they are copies of. */
function withoutCopies(text: string, copies: readonly Copy[]): string {
  let kept = text;
  for (const copy of copies) {
    if (!kept.includes(copy.original) || !kept.includes(copy.text)) continue;
    const launched = new RegExp(`\\b${copy.name}(?=\\s*\\[)`, "g");
    kept = kept.replace(copy.text, "").replace(launched, copy.kernel);
  }
  return kept;
}

function copiesFor(input: RuleInput, source: string): Copies | undefined {
  const root = input.parse(input.file, source);
  if (root === undefined || root.hasError) return undefined;
  const model = readTriton(root);
  const host = hostOf(input, model);
  if (host === undefined) return undefined;
  const beside = model.launches.filter((launch) => launch.host?.id === host.id);
  const edits: TextEdit[] = [];
  const copies: Copy[] = [];
  for (const name of new Set(beside.map(({ site }) => site.kernel))) {
    const made = copiesOf({ input, source, model, host }, name);
    if (made === undefined && name === input.kernel) return undefined;
    edits.push(...(made?.edits ?? []));
    copies.push(...(made?.copies ?? []));
  }
  if (copies.length === 0) return undefined;
  const launches = model.launches.filter(({ site }) => site.kernel === input.kernel);
  const oneHost = launches.length > 1 && launches.every((launch) => launch.host?.id === host.id);
  const kernel = model.kernels.find(({ facts }) => facts.name === input.kernel);
  const end = endOf(source, model);
  const text = copies.map((copy) => copy.text).join("");
  return {
    edits: [...edits, { start: end, end, text }],
    copies,
    shared: oneHost && kernel ? decoratedOf(kernel) : undefined,
  };
}

/** The function whose launch of the judged kernel is looked at: the entry, or the first that launches it. */
function hostOf({ spec, kernel }: RuleInput, { launches }: TritonModel): SyntaxNode | undefined {
  const entry = spec.run.kind === "entry" ? spec.run.entry.call.split("::").at(-1) : undefined;
  const own = launches.filter(({ site }) => site.kernel === kernel);
  return (own.find(({ site }) => site.hostFunction === entry) ?? own[0])?.host;
}

interface Reading {
  readonly input: RuleInput;
  readonly source: string;
  readonly model: TritonModel;
  readonly host: SyntaxNode;
}

/** Copies of one kernel for all its launches but the first of the host; undefined where one is not read. */
function copiesOf(reading: Reading, kernel: string): Pick<Copies, "edits" | "copies"> | undefined {
  const { source, model, host } = reading;
  const [definition, ...others] = model.kernels.filter(({ facts }) => facts.name === kernel);
  const launches = model.launches.filter(({ site }) => site.kernel === kernel);
  const own = launches.find((launch) => launch.host?.id === host.id);
  if (definition === undefined || others.length > 0 || launches.length > MOST) return undefined;
  const decorated = decoratedOf(definition);
  if (decorated.parent?.type !== "module") return undefined;
  const edits: TextEdit[] = [];
  const named = new Map<string, Copy>();
  for (const launch of launches.filter(({ call }) => call.id !== own?.call.id)) {
    const use = namedIn(launch, kernel);
    if (use === undefined || launch.host === undefined) return undefined;
    // Launches of other functions stay together: nobody judges them apart.
    const key = launch.host.id === host.id ? `${kernel}_${named.size + 2}` : `${kernel}_alone`;
    const copy = named.get(key) ?? copyOf(decorated, kernel, freshName(source, key));
    named.set(key, copy);
    edits.push({ start: use.startIndex, end: use.endIndex, text: copy.name });
  }
  const end = source.length > 0 && !source.endsWith("\n") ? "\n" : "";
  const isLast = endOf(source, model) === source.length;
  const copies = [...named.values()].map((copy) => ({
    ...copy,
    text: isLast ? `${end}\n\n${copy.text}\n` : `${copy.text}\n\n\n`,
  }));
  return { edits, copies };
}

/** The kernel's name in what a launch calls. */
function namedIn({ call }: TritonLaunch, kernel: string): SyntaxNode | undefined {
  const [use, ...more] = usesOf(call.childForFieldName("function") ?? call, kernel);
  return more.length > 0 ? undefined : use;
}

function decoratedOf({ definition }: TritonKernel): SyntaxNode {
  const { parent } = definition;
  return parent?.type === "decorated_definition" ? parent : definition;
}

function copyOf(decorated: SyntaxNode, kernel: string, name: string): Copy {
  const text = decorated.text.replace(new RegExp(`\\bdef\\s+${kernel}\\b`), `def ${name}`);
  return { kernel, name, original: decorated.text, text };
}

/** Behind all definitions, in front of what runs as a program. */
function endOf(source: string, { root }: TritonModel): number {
  const main = partsOf(root).find(
    (part) => part.type === "if_statement" && compact(part).includes("__name__"),
  );
  return main?.startIndex ?? source.length;
}
