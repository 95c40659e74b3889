import { lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { hostCosts, linkRate } from "../../../../timing/host/host-calls";
import { gpuNamed } from "../../../../timing/gpu-model";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor } from "../../evidence";
import { isNot, not, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel } from "../kernel";
import { removal } from "../launch/fusing/leftovers";
import { type CopiedSum, copiedSum } from "./copied-sum";
import { hostGain, inHosts } from "./host-code";

/** Threads of a block of the new kernel, and its blocks at most: one part for each goes to the host. */
const width = 256;

/**
 * A vector that the host adds up, or whose greatest or least it looks for, is reduced to a part for each
 * block on the GPU. The order of the parts is always the same; that of a sum differs from the loop's.
 */
export const sumOnGpu = defineRule("cuda-sum-on-gpu", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const found = inHosts(view, copiedSum);
  if (isNot(found)) return found;
  const [sum] = found;
  const { host } = sum;
  const definition = host.parent?.type === "template_declaration" ? host.parent : host;
  if (definition.parent?.type === "field_declaration_list")
    return not("no-rewrite", "the function that copies is a member of a class", host);
  const saved = savedNanoseconds(input) - threshold(entry, "launchNanoseconds");
  if (saved <= 0) return not("no-evidence", "so short a copy costs less than a launch", sum.copy.call);
  if (roundsOtherwise(input, sum, threshold(entry, "singleElements")))
    return { ...not("no-rewrite", lateRounding(sum), sum.loop), gain: hostGain(input, saved) };
  const facts = { file: input.file, line: lineOf(sum.copy.call), counter: "hostCalls" as const };
  const blanks = { count: sum.count, result: sum.result };
  return {
    kind: "proposal",
    tree: editedTree(input, editsOf(view.source, definition, sum)),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(
      entry,
      { ...facts, value: input.bound.host?.calls.toHost.bytes ?? 0, ideal: 0 },
      blanks,
    ),
    gain: hostGain(input, saved),
  };
});

/** Whether so many singles are added one after the other that another order is told by its rounding. */
function roundsOtherwise({ bound }: RuleInput, { combination, type }: CopiedSum, most: number): boolean {
  const elements = (bound.host?.calls.toHost.bytes ?? 0) / 4;
  return combination.includes("+=") && type === "float" && elements > most;
}

function lateRounding({ result }: CopiedSum): string {
  return `${result} adds up so many singles one after the other that another order rounds otherwise`;
}

/** What the bytes of all copies to the host take; those of a program are not counted: as much as the call. */
function savedNanoseconds({ bound }: RuleInput): number {
  if (bound.host === undefined) return hostCosts.transferNanoseconds;
  return bound.host.calls.toHost.bytes / linkRate(gpuNamed(bound.gpu));
}

function editsOf(source: string, definition: SyntaxNode, sum: CopiedSum): readonly TextEdit[] {
  const fresh = (wish: string): string => freshName(source, wish);
  const names = { kernel: fresh("combine_parts"), parts: fresh("parts"), blocks: fresh("partBlocks") };
  const here = fresh("partsHere");
  const { copy, loop, type, count, combination, result } = sum;
  const indent = indentOf(source, copy.statement);
  const copied = `cudaMemcpy(${here}, ${names.parts}, ${names.blocks} * sizeof(${type}), cudaMemcpyDeviceToHost)`;
  const checked = copy.statement.text.replace(copy.call.text, () => copied);
  const lines = [
    `${type} ${here}[${width}];`,
    `const size_t ${names.blocks} = ((${count}) + ${width - 1}) / ${width} < ${width} ? ((${count}) + ${width - 1}) / ${width} : ${width};`,
    `${type} *${names.parts} = nullptr;`,
    `cudaMallocAsync(reinterpret_cast<void **>(&${names.parts}), sizeof ${here}, 0);`,
    `if (${names.blocks} > 0) ${names.kernel}<<<${names.blocks}, ${width}>>>(${sum.source}, ${names.parts}, ${count});`,
    checked,
    `cudaFreeAsync(${names.parts}, 0);`,
  ];
  const part = fresh("part");
  const step = combined(combination, result, `${here}[${part}]`);
  return [
    insertBefore(definition, partsKernel(sum, names.kernel)),
    replaceNode(copy.statement, lines.join(`\n${indent}`)),
    replaceNode(loop, `for (size_t ${part} = 0; ${part} < ${names.blocks}; ++${part}) ${step}`),
    ...sum.leftover.map((statement) => removal(source, statement)),
  ];
}

function combined(combination: string, so: string, next: string): string {
  return combination.replaceAll("{so}", () => so).replaceAll("{next}", () => next);
}

/** The kernel that makes one part of all elements that a block takes in turn. */
function partsKernel({ element, type, taken, combination }: CopiedSum, name: string): string {
  const isSum = combination.includes("+=");
  const first = isSum ? "0" : taken.replaceAll(/\bvalue\b/g, "from[0]");
  return [
    `__global__ void ${name}(const ${element} *from, ${type} *parts, size_t count) {`,
    `  __shared__ ${type} kept[${width}];`,
    `  ${type} so = ${first};`,
    `  for (size_t i = blockIdx.x * size_t(${width}) + threadIdx.x; i < count; i += gridDim.x * size_t(${width})) {`,
    `    const ${element} value = from[i];`,
    `    const ${type} next = ${taken};`,
    `    ${combined(combination, "so", "next")}`,
    "  }",
    "  kept[threadIdx.x] = so;",
    "  __syncthreads();",
    `  for (int half = ${width / 2}; half > 0; half /= 2) {`,
    `    if (threadIdx.x < half) { ${combined(combination, "kept[threadIdx.x]", "kept[threadIdx.x + half]")} }`,
    "    __syncthreads();",
    "  }",
    "  if (threadIdx.x == 0) parts[blockIdx.x] = kept[0];",
    "}",
    "",
    "",
  ].join("\n");
}
