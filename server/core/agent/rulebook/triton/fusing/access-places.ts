import type { SyntaxNode } from "../../../../language/tree";
import { maskOf, positional, type TritonView } from "../kernel";
import { addressTerms } from "../spread/address";
import { wordsOf } from "./kernel-words";
import { passedTo } from "./stage";

/** The pointer that an address begins with. */
export function pointerOf(view: TritonView, call: SyntaxNode): string | undefined {
  const [address] = positional(call);
  const terms = address === undefined ? [] : addressTerms(view, address).map(({ text }) => text);
  return view.parameters.find(({ name, pointer }) => pointer && terms.includes(name))?.name;
}

/** Address and mask, the same text for the same elements. */
export function placeOf(view: TritonView, call: SyntaxNode): string {
  const kernel = view.model.kernels.find(({ definition }) => definition.id === view.definition.id);
  const [address] = positional(call);
  const mask = maskOf(view, call);
  if (kernel === undefined || address === undefined) return call.text;
  const { words } = wordsOf({ view, kernel, passed: passedTo(kernel, view.launch) });
  return `${words(address)}|${mask === undefined ? "" : words(mask)}`;
}
