import { movedDown, type TextRange } from "../../base/text";
import { type FileMemory, fileParts, ofParts } from "../cuda/definitions";
import { askKernels, type KernelMemory } from "../cuda/kernels";
import { mayLaunch } from "../cuda/launches";
import type { KernelFacts } from "../facts";
import { PartMemory } from "../part-memory";
import { rangeOf } from "../query";
import { findKernels, type SourceFile } from "../source-file";
import type { SyntaxNode } from "../tree";

/** What a place of a text is to the eye: a kernel's name, marks of a launch, a number that is compiled in. */
export type NameColour = "kernel" | "launch" | "constant";

interface ColouredName {
  readonly range: TextRange;
  readonly colour: NameColour;
}

/** What has a colour in the parts of a CUDA text, for its next version. */
export interface ColourMemory {
  readonly launches: FileMemory<readonly ColouredName[]>;
  readonly constants: KernelMemory<readonly ColouredName[]>;
}

/** For a text of which nothing is known yet. */
export function colourMemory(): ColourMemory {
  return { launches: new PartMemory(), constants: new PartMemory() };
}

/**
 * Names that the general grammars of both languages do not tell apart: kernels where they are defined and
 * launched, the marks around a launch's configuration, and parameters whose values are known when a kernel
 * is compiled (`tl.constexpr`, values of a template) wherever it uses them. In the order of the text.
 * `memory`: of the text's last version.
 */
export function colouredNames(
  source: SourceFile,
  kernels: readonly KernelFacts[] = findKernels(source),
  memory: ColourMemory = colourMemory(),
): readonly ColouredName[] {
  const { root } = source.tree;
  const found = [
    ...kernels.map(({ nameRange: range }): ColouredName => ({ range, colour: "kernel" })),
    ...(source.dialect === "cuda"
      ? cudaNames(root, memory)
      : [...tritonLaunches(root), ...kernels.flatMap((kernel) => constantsOf(root, kernel))]),
  ];
  const byPlace = new Map(
    found.map((name) => [`${name.range.start.line}:${name.range.start.character}`, name]),
  );
  return [...byPlace.values()].sort(
    ({ range: { start: a } }, { range: { start: b } }) => a.line - b.line || a.character - b.character,
  );
}

function cudaNames(root: SyntaxNode, memory: ColourMemory): readonly ColouredName[] {
  const parts = fileParts(root).filter(mayLaunch);
  const launches = ofParts(parts, { memory: memory.launches, context: "" }, cudaLaunches);
  const constants = askKernels(root, memory.constants, "", (kernel) =>
    "body" in kernel ? constantsOf(root, kernel.facts) : [],
  );
  const moved = (names: readonly ColouredName[], lines: number): readonly ColouredName[] =>
    names.map(({ range, colour }) => ({ range: movedDown(range, lines), colour }));
  return [
    ...launches.flatMap(({ found, lines }) => moved(found, lines)),
    ...constants.flatMap(({ answer, lines }) => moved(answer, lines)),
  ];
}

function cudaLaunches(root: SyntaxNode): readonly ColouredName[] {
  return root.descendantsOfType("kernel_call_syntax").flatMap((configuration) => {
    const marks = configuration.children.filter(({ type }) => type === "<<<" || type === ">>>");
    const callee = configuration.parent?.childForFieldName("function");
    const name = callee && nameIn(callee);
    return [
      ...(name ? [{ range: rangeOf(name), colour: "kernel" } as const] : []),
      ...marks.map((mark): ColouredName => ({ range: rangeOf(mark), colour: "launch" })),
    ];
  });
}

/** The name itself in `nn::scale<float>`. */
function nameIn(callee: SyntaxNode): SyntaxNode | undefined {
  if (callee.type === "identifier") return callee;
  const inner = callee.childForFieldName("name");
  return inner === null ? undefined : nameIn(inner);
}

/** `kernel[grid](…)` and `module.kernel[grid](…)`. */
function tritonLaunches(root: SyntaxNode): readonly ColouredName[] {
  return root.descendantsOfType("call").flatMap((call) => {
    const callee = call.childForFieldName("function");
    const value = callee?.type === "subscript" ? callee.childForFieldName("value") : null;
    const name = value?.type === "attribute" ? value.childForFieldName("attribute") : value;
    return name?.type === "identifier" ? [{ range: rangeOf(name), colour: "kernel" } as const] : [];
  });
}

function constantsOf(root: SyntaxNode, kernel: KernelFacts): readonly ColouredName[] {
  const { start, end } = kernel.range;
  const names = new Set([
    ...kernel.parameters.filter(({ constexpr }) => constexpr).map(({ name }) => name),
    ...kernel.templateParameters.filter(({ kind }) => kind === "value").map(({ name }) => name),
  ]);
  if (names.size === 0) return [];
  return root
    .descendantsOfType(
      "identifier",
      { row: start.line, column: start.character },
      { row: end.line, column: end.character },
    )
    .filter((node) => names.has(node.text) && !isLabel(node))
    .map((node) => ({ range: rangeOf(node), colour: "constant" }));
}

/** A member, or the name of an argument: another thing of the same spelling. */
function isLabel(node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent?.type === "keyword_argument") return parent.childForFieldName("name")?.id === node.id;
  return parent?.type === "attribute" && parent.childForFieldName("attribute")?.id === node.id;
}
