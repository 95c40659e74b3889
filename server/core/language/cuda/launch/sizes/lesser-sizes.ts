/**
 * Parameters that a kernel takes from another one, as `height - taps + 1` does: they are less than that one,
 * as a filter is smaller than the picture. `body`: of the kernel; `names`: of its whole numbers.
 */
export function lesserSizes(body: string, names: readonly string[]): ReadonlySet<string> {
  const code = body.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, " ");
  // Products come before sums: what is multiplied behind is not what is taken away.
  const difference = /(?<![\w.>*/-]\s*)\b(\w+)\b((?:\s*\+\s*[\w *]+)?)\s*-\s*\(?\s*(\w+)\b(?!\s*[*/.[(])/g;
  const taken = [...code.matchAll(difference)].flatMap(([, from = "", , less = ""]) =>
    names.includes(from) && names.includes(less) && from !== less ? [[from, less] as const] : [],
  );
  // Of two that are taken from each other neither is known to be the lesser one.
  const isBoth = (from: string, less: string): boolean =>
    taken.some(([other, another]) => other === less && another === from);
  return new Set(taken.flatMap(([from, less]) => (isBoth(from, less) ? [] : less)));
}
