import { arraysOf, type KernelArray } from "../../../../language/cuda/body/arrays";
import { enclosing, isInside, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { type Layout, structureLayout } from "../structures/structure-layout";
import { type FlatView, flatViewOf } from "./flat-views";

const wordBytes = 4;

/**
 * Makes structures in shared memory a word longer, so that the same member of neighbouring ones falls into
 * different banks: `struct Padded : Particle { float pad; }`.
 */
export const padSharedStructures = defineRule("cuda-pad-shared-structures", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const arrays = arraysOf(view.body).flatMap((array) => {
    const layout = array.storage === "shared" ? structureLayout(view, plainType(array)) : undefined;
    return layout === undefined ? [] : [{ array, layout }];
  });
  if (arrays.length === 0)
    return not("no-pattern", "the kernel has no shared array of structures", view.line);
  return arrays.map((found) => padded(input, entry, { ...found, view }));
});

interface StructureArray {
  readonly view: KernelView;
  readonly array: KernelArray;
  readonly layout: Layout;
}

function plainType({ type }: KernelArray): string {
  return type.replace(/^(?:struct|class)\s+/, "");
}

/** What makes the distance of two structures odd in words, or in units of 8 or 16 bytes. */
function padOf({ bytes, alignment }: Layout): { readonly bytes: number; readonly type: string } | undefined {
  const unit = Math.max(wordBytes, alignment);
  if (bytes % unit !== 0 || (bytes / unit) % 2 !== 0) return undefined;
  const types: Readonly<Record<number, string>> = { 4: "float", 8: "double", 16: "float4" };
  const type = types[unit];
  return type === undefined ? undefined : { bytes: unit, type };
}

function padded(input: RuleInput, entry: RuleEntry, found: StructureArray): RuleAnswer {
  const { view, array, layout } = found;
  const { name, declaration } = array;
  const pad = padOf(layout);
  if (pad === undefined)
    return not("no-pattern", `structures of ${layout.bytes} bytes share no banks in turn`, declaration);
  const views = usesOf(view.body, name).flatMap((use) => flatViewOf(view, use, declaration) ?? []);
  const evidence = conflictsOf(input, entry, found, views);
  if (isNot(evidence)) return evidence;
  const edits = editsOf(found, views, pad.bytes);
  if (isNot(edits)) return edits;
  const used = Math.max(0, ...input.facts.map((fact) => fact.sharedBytes));
  const needed = used * (1 + pad.bytes / layout.bytes);
  if (needed > threshold(entry, "sharedBytesMost"))
    return not("limit", `${needed} bytes of shared memory are more than a block may have`, declaration);
  const type = declaration.childForFieldName("type");
  if (type === null) return not("type", `the type of ${name} cannot be read`, declaration);
  const base = plainType(array);
  const longer = freshName(view.source, `Padded${base.replace(/\W+/g, "")}`);
  const text = `struct ${longer} : ${base} { ${pad.type} pad; };\n${indentOf(view.source, declaration)}`;
  const tree = editedTree(input, [insertBefore(declaration, text), replaceNode(type, longer), ...edits]);
  const saved = shareSaved(evidence.value - evidence.ideal, input.counters.totals.sharedWavefronts);
  return {
    kind: "proposal",
    tree,
    hypothesis: fillSentence(entry.hypothesis, { array: name, pad: pad.bytes }),
    evidence,
    gain: gainOn(input, ["shared"], saved),
  };
}

/** The line with most conflicts among those that use the array, or what stands for one of its elements. */
function conflictsOf(
  input: RuleInput,
  entry: RuleEntry,
  { view, array }: StructureArray,
  views: readonly FlatView[],
): ReturnType<typeof evidenceFor> | RuleHold {
  const { body } = view;
  const bound = usesOf(body, array.name).flatMap((use) => {
    const declarator = enclosing(use, "init_declarator");
    const [own] = declarator?.childForFieldName("declarator")?.descendantsOfType("identifier") ?? [];
    const named = declarator?.childForFieldName("declarator");
    return (named?.type === "identifier" ? named.text : own?.text) ?? [];
  });
  const names = [array.name, ...bound, ...views.map(({ name }) => name)];
  const lines = [...new Set(names)].flatMap((name) =>
    usesOf(body, name).map((use) => {
      const statement = enclosing(use, "expression_statement", "declaration") ?? use;
      const { sharedWavefronts: value, sharedWavefrontsIdeal: ideal } = countsOf(input, statement);
      return { line: lineOf(use), value, ideal };
    }),
  );
  const [worst] = lines.sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
  if (worst === undefined || wasteOf(worst.value, worst.ideal) < threshold(entry, "ratio"))
    return not("no-evidence", `${array.name} shows no bank conflicts`, array.declaration);
  const facts = { file: input.file, counter: "sharedWavefronts" as const, ...worst };
  return evidenceFor(entry, facts, { array: array.name });
}

/** What has to follow where the array is used; a guard's answer where its layout is relied on. */
function editsOf(
  found: StructureArray,
  views: readonly FlatView[],
  pad: number,
): readonly TextEdit[] | RuleHold {
  const { view, array } = found;
  const { declaration, name } = array;
  if (declaration.childrenForFieldName("declarator").length !== 1)
    return not("no-rewrite", `${name} is declared together with others`, declaration);
  if (declaration.children.some(({ text }) => ["volatile", "const"].includes(text)))
    return not("type", `${name} is not of its structure alone`, declaration);
  const edits: TextEdit[] = [];
  for (const use of usesOf(view.body, name).filter((each) => !isInside(each, declaration))) {
    if (views.some((each) => isInside(use, each.declarator))) continue;
    const access = array.accesses.find(({ node }) => isInside(use, node));
    if (access === undefined || access.node.parent?.type === "pointer_expression")
      return not("aliasing", `${name} is used other than structure by structure`, use);
    const { parent } = access.node;
    const isTarget =
      parent?.type === "assignment_expression" && parent.childForFieldName("left")?.id === access.node.id;
    if (isTarget)
      edits.push(replaceNode(access.node, `static_cast<${plainType(array)}&>(${access.node.text})`));
  }
  const seen = views.map((each) => skippedIn(each, found, pad));
  return seen.find(isNot) ?? [...edits, ...seen.flatMap((each) => (isNot(each) ? [] : each))];
}

/** Each index of a view, moved by what lies between the structures before it. */
function skippedIn(
  { name, bytes, escape, indices, declarator }: FlatView,
  { array, layout }: StructureArray,
  pad: number,
): readonly TextEdit[] | RuleHold {
  if (bytes > pad || escape !== undefined || layout.isMade === true)
    return not("aliasing", `${name} sees ${array.name} other than element by element`, declarator);
  const [length, gap] = [layout.bytes / bytes, pad / bytes];
  const skipped = gap === 1 ? "" : ` * ${gap}`;
  return indices.map((index) => replaceNode(index, `${index.text} + ${factor(index)} / ${length}${skipped}`));
}

/** The index in front of a division. */
function factor({ type, text }: SyntaxNode): string {
  return type === "identifier" ? text : `(${text})`;
}
