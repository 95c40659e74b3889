/** `add`, `sub` or `fma` of floating-point numbers: what is written, and what is read. */
const arithmetic = new RegExp(
  String.raw`^(?:@!?%\w+\s+)?(add|sub|fma)\.(?:[a-z]+\.)*(?:b?f16x?2?|f32x?2?|f64)\s+(%\w+)` +
    String.raw`\s*,\s*([^,;]+?)\s*,\s*([^,;]+?)\s*(?:,\s*([^,;]+?)\s*)?;`,
);
/** The register that any other instruction writes first. */
const writes = /^(?:@!?%\w+\s+)?[a-z][\w.:]*\s+(%\w+)/;

/**
 * Whether a kernel's PTX takes the rounding error of a sum: after `t = s + x` it has `t - s` or `s - t`, as
 * all compensated sums do (Kahan, Neumaier, Knuth's two-sum), and as nothing else does, since it is x without
 * rounding. Functions of the module that were not inlined count for each of its kernels.
 */
export function hasCompensatedSums(ptx: string, symbol: string): boolean {
  return bodiesOf(ptx, symbol).some(takesErrors);
}

/** PTX of a kernel, and of each function of the module that was not inlined. */
export function bodiesOf(ptx: string, symbol: string): readonly string[] {
  return functionsOf(ptx)
    .filter(({ kind, name }) => kind === "func" || name === symbol)
    .map(({ body }) => body);
}

interface PtxFunction {
  readonly kind: string;
  readonly name: string;
  readonly body: string;
}

function functionsOf(ptx: string): readonly PtxFunction[] {
  return ptx.split(/^(?=(?:\.(?:visible|weak|extern)\s+)*\.(?:entry|func)\b)/m).flatMap((body) => {
    const [, kind, name] = /\.(entry|func)\s+(?:\([^)]*\)\s*)?([\w$.]+)/.exec(body) ?? [];
    return kind === undefined || name === undefined ? [] : [{ kind, name, body }];
  });
}

function takesErrors(body: string): boolean {
  const sums = new Map<string, readonly string[]>();
  return body.split(/[\n{}]/).some((piece) => isError(sums, piece.trim()));
}

/** Whether an instruction takes the error of one of these sums, which are kept up to date otherwise. */
function isError(sums: Map<string, readonly string[]>, text: string): boolean {
  const [, operation = "", result, first = "", second = "", third] = arithmetic.exec(text) ?? [];
  if (operation === "sub" && (isTermOf(sums, first, second) || isTermOf(sums, second, first))) return true;
  const written = result ?? writes.exec(text)?.[1];
  if (written === undefined) return false;
  forget(sums, written);
  const terms = third === undefined ? [first, second] : [third];
  if (/^(add|fma)$/.test(operation) && !terms.includes(written)) sums.set(written, terms);
  return false;
}

function isTermOf(sums: ReadonlyMap<string, readonly string[]>, sum: string, term: string): boolean {
  return sums.get(sum)?.includes(term) === true;
}

/** What a register held is gone: neither the sum in it nor sums of it are known by that name any longer. */
function forget(sums: Map<string, readonly string[]>, register: string): void {
  sums.delete(register);
  for (const [sum, terms] of sums) if (terms.includes(register)) sums.delete(sum);
}
