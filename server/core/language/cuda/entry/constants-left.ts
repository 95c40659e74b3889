import { type ConstantVariable, constantVariables } from "../constant-variables";
import { withoutComments } from "../kernel-text";

/** What may stand before a body without being a function. */
const statements = new Set(["if", "for", "while", "switch", "catch", "sizeof", "return"]);
const head = /\b([A-Za-z_]\w*)\s*\((?:[^;{}()]|\([^()]*\))*\)\s*(?:const\s*)?(?:noexcept\s*)?\{/g;

/**
 * `__constant__` variables without an initialiser that a source reads and that a host function leaves as they
 * are, together with all that it calls: they hold zeros, whatever another function would set them to.
 */
export function constantsLeft(source: string, entry: string): readonly ConstantVariable[] {
  const text = withoutComments(source);
  const variables = constantVariables(text);
  if (variables.length === 0) return [];
  const bodies = bodiesOf(text);
  const reached = reachedFrom(entry, bodies);
  return variables.filter(({ name }) => {
    const isSet = new RegExp(String.raw`Symbol\w*\s*(?:<[^>]*>\s*)?\([^;]*\b${name}\b`);
    const isRead = [...bodies.values()].some((body) =>
      new RegExp(`\\b${name}\\b`).test(body.replace(isSet, "")),
    );
    return isRead && !reached.some((body) => isSet.test(body));
  });
}

/** Texts of the functions of a source, by their names. */
function bodiesOf(text: string): ReadonlyMap<string, string> {
  const bodies = new Map<string, string>();
  for (const found of text.matchAll(head)) {
    const [whole, name = ""] = found;
    if (statements.has(name)) continue;
    const start = found.index + whole.length;
    bodies.set(name, `${bodies.get(name) ?? ""}${text.slice(start, closing(text, start))}`);
  }
  return bodies;
}

/** Where the brace ends that was opened before a place. */
function closing(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** The texts of a function and of all that are named in them. */
function reachedFrom(entry: string, bodies: ReadonlyMap<string, string>): readonly string[] {
  const open = [entry];
  const seen = new Set<string>();
  const reached: string[] = [];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const body = bodies.get(name);
    if (body === undefined || seen.has(name)) continue;
    seen.add(name);
    reached.push(body);
    open.push(...(body.match(/\b[A-Za-z_]\w*\b/g) ?? []).filter((word) => bodies.has(word)));
  }
  return reached;
}
