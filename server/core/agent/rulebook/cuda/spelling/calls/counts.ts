import { compact, partsOf } from "../../../../../language/query";
import { replaceNode } from "../../../edits";
import type { Spelling } from "../spelling";

/** The greatest `unsigned`, however it is written: a count that wraps there is one that never does. */
const greatest = /^(?:0xf{8}u?|4294967295u?|uint_max|uint32_max|~0u|\(unsigned(?:int)?\)-1|-1)$/i;

/** `atomicInc(&bins[b], UINT_MAX)` as `atomicAdd(&bins[b], 1u)`, `atomicSub(p, v)` of the negated value. */
export const countsAdded: Spelling = ({ body }) => {
  for (const call of body.descendantsOfType("call_expression")) {
    const [place, value, ...others] = partsOf(call.childForFieldName("arguments"));
    if (place === undefined || value === undefined || others.length > 0) continue;
    const name = compact(call.childForFieldName("function"));
    if (name === "atomicInc" && greatest.test(compact(value)))
      return [replaceNode(call, `atomicAdd(${place.text}, 1u)`)];
    if (name === "atomicSub") return [replaceNode(call, `atomicAdd(${place.text}, -(${value.text}))`)];
  }
  return undefined;
};
