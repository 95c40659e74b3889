import { type CudaAccess, cudaAccesses } from "../../../../language/cuda/body/accesses";
import { compact, fieldText, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";

/**
 * Lets one lane add for all lanes of its warp that mean the same address, where addresses are loaded and
 * those of neighbours are mostly the same: labels of pixels, segments of a sorted list.
 */
export const addForWarp = defineRule("cuda-add-for-warp", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const { atomics } = cudaAccesses(view.kernel);
  const [first] = atomics;
  if (first === undefined) return not("no-pattern", "the kernel has no atomics on global memory", view.line);
  const crowded = atomics.filter(({ node }) => {
    const { globalAtomics, globalAtomicPasses } = countsOf(input, node);
    return globalAtomics > 0 && globalAtomicPasses / globalAtomics >= threshold(entry, "ratio");
  });
  const passesOf = ({ node }: CudaAccess): number => countsOf(input, node).globalAtomicPasses;
  const [worst] = [...crowded].sort((a, b) => passesOf(b) - passesOf(a));
  if (worst === undefined)
    return not("no-evidence", "few lanes of a warp add to the same address", first.node);
  const { globalAtomics, globalAtomicPasses: value } = countsOf(input, worst.node);
  const gain = gainOn(input, ["atomics", "latency", "l2"], 1 - globalAtomics / value);
  const sums = crowded.flatMap(({ node }) => plainSum(node) ?? []);
  if (sums.length === 0) return { ...held(worst.node), gain };
  const facts = { file: input.file, line: lineOf(worst.node), counter: "globalAtomicPasses" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits(view, sums)),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, { ...facts, value, ideal: globalAtomics }),
    gain,
  };
});

/** The name of the call `atomicAdd(address, value);` as a statement. */
function plainSum(call: SyntaxNode): SyntaxNode | undefined {
  const callee = call.childForFieldName("function");
  const isSum = compact(callee) === "atomicAdd" && partsOf(call.childForFieldName("arguments")).length === 2;
  return isSum && call.parent?.type === "expression_statement" ? (callee ?? undefined) : undefined;
}

function held(call: SyntaxNode): RuleHold {
  return fieldText(call, "function") === "atomicAdd"
    ? not("dependence", "what the atomic returns is used", call)
    : not("no-rewrite", "the atomic is no sum", call);
}

function edits({ source, kernel }: KernelView, sums: readonly SyntaxNode[]): readonly TextEdit[] {
  const name = freshName(source, "addForWarp");
  const start = startOf(kernel.definition);
  const sum = freshName(`${source} ${name}`, "sumOfLanes");
  const text = helper.map((line) => line.replaceAll("NAME", name).replaceAll("SUM", sum)).join("\n");
  return [{ start, end: start, text: `${text}\n\n` }, ...sums.map((callee) => replaceNode(callee, name))];
}

/** GPUs from compute capability 8.0 on sum up whole numbers of 32 bits by an instruction. */
const helper = [
  "// The sum of a value over the lanes of a warp that are named.",
  "template <typename T>",
  "static __device__ __forceinline__ T SUM(unsigned lanes, T value) {",
  "  T sum = value;",
  "  if (lanes == 0xffffffffu) {",
  "    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(lanes, sum, offset);",
  "    return sum;",
  "  }",
  "  sum = T(0);",
  "  for (unsigned left = lanes; left != 0u; left &= left - 1u)",
  "    sum += __shfl_sync(lanes, value, __ffs(left) - 1);",
  "  return sum;",
  "}",
  "#if __CUDA_ARCH__ >= 800",
  "static __device__ __forceinline__ unsigned SUM(unsigned lanes, unsigned value) {",
  "  return __reduce_add_sync(lanes, value);",
  "}",
  "static __device__ __forceinline__ int SUM(unsigned lanes, int value) {",
  "  return __reduce_add_sync(lanes, value);",
  "}",
  "#endif",
  "",
  "// Adds once for all lanes of a warp that mean the same address.",
  "template <typename T, typename V>",
  "static __device__ __forceinline__ void NAME(T* address, V value) {",
  "  const unsigned long long place = reinterpret_cast<unsigned long long>(address);",
  "  const unsigned lanes = __match_any_sync(__activemask(), place);",
  "  const T sum = SUM(lanes, static_cast<T>(value));",
  "  const int lane = ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32u;",
  "  if (lane == __ffs(lanes) - 1) atomicAdd(address, sum);",
  "}",
];

/** Where the kernel begins, with its template's head, its linkage and the comment right above. */
function startOf(definition: SyntaxNode): number {
  let node = definition;
  for (let { parent } = node; parent !== null && isHead(parent); { parent } = parent) node = parent;
  for (let above = node.previousNamedSibling; above?.type === "comment"; above = above.previousNamedSibling) {
    if (above.endPosition.row + 1 < node.startPosition.row) break;
    node = above;
  }
  return node.startIndex;
}

function isHead({ type, parent }: SyntaxNode): boolean {
  if (type === "declaration_list") return parent?.type === "linkage_specification";
  return type === "template_declaration" || type === "linkage_specification";
}
