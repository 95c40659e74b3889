import { collapse, compact, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import {
  combiningCalls,
  keyword,
  languageCalls,
  positional,
  secondDimension,
  type TritonView,
} from "../kernel";
import { decisions, type Dependences, reducing } from "./dependence";

/** Members of `triton.language` that mean something else for values of one more dimension. */
const special = [
  "num_programs",
  "debug_barrier",
  "inline_asm_elementwise",
  "dot",
  "cumsum",
  "cumprod",
  "reduce",
  "associative_scan",
  "sort",
  "histogram",
  "gather",
  "join",
  "split",
  "interleave",
  "flip",
  "make_block_ptr",
  "make_tensor_descriptor",
  "device_print",
];

/** Functions of Python that Triton knows for single values and for blocks. */
const plain = new Set(["range", "float", "int", "min", "max", "abs", "bool"]);

/** What keeps a kernel from having one more dimension; undefined where all of it works by elements. */
export function keepsDimensions(view: TritonView): RuleHold | undefined {
  const tile = secondDimension(view);
  if (tile !== undefined) return not("no-pattern", "the kernel works on tiles of two dimensions", tile);
  const [call] = languageCalls(view, special);
  if (call !== undefined)
    return not("cooperation", `${compact(call.childForFieldName("function"))} works on whole blocks`, call);
  const odd = languageCalls(view, reducing).find((reduction) => !isPlainReduction(reduction));
  if (odd !== undefined) return not("no-rewrite", `${collapse(odd.text)} is no plain reduction`, odd);
  const helper = view.body.descendantsOfType("call").find((each) => !isByElements(view, each));
  return (
    helper &&
    not("no-rewrite", `${compact(helper.childForFieldName("function"))} may work on whole blocks`, helper)
  );
}

/** `tl.sum(x)`, `tl.sum(x, 0)`, `tl.sum(x, axis=0)`. */
function isPlainReduction(call: SyntaxNode): boolean {
  const given = call.childForFieldName("arguments")?.namedChildren ?? [];
  const axis = keyword(call, "axis") ?? positional(call)[1];
  const others = given.length - 1 - (axis === undefined ? 0 : 1);
  return others === 0 && (axis === undefined || axis.text === "0" || axis.text === "None");
}

/**
 * A helper of the file that neither reduces nor touches memory, a member of a module, or a plain function.
 */
function isByElements(view: TritonView, call: SyntaxNode): boolean {
  const callee = call.childForFieldName("function");
  if (callee?.type !== "identifier" || plain.has(callee.text)) return true;
  const helper = view.model.root
    .descendantsOfType("function_definition")
    .find((node) => node.childForFieldName("name")?.text === callee.text);
  if (helper === undefined) return false;
  const memory = languageCalls(view, ["load", "store", "arange", "program_id", ...special], helper);
  return memory.length === 0 && combiningCalls(view, helper).length === 0;
}

interface Deciding {
  readonly along: "programs" | "lanes";
  /** Loops whose heads may differ. */
  readonly except?: readonly SyntaxNode[];
}

/** A condition or a range that differs between the programs, or the elements, that would be one. */
export function decidedBy(
  view: TritonView,
  of: Dependences,
  { along, except = [] }: Deciding,
): RuleHold | undefined {
  const decision = decisions(view.body).find(
    (node) => of(node)[along] && !except.some(({ id }) => id === node.parent?.id),
  );
  if (decision === undefined) return undefined;
  const who = along === "programs" ? "each program" : "each element";
  return not("dependence", `${who} decides ${collapse(decision.text)} (line ${lineOf(decision)})`, decision);
}
