import { namesIn } from "../query";
import type { LaunchSite } from "../facts";
import type { HostFunction } from "./host-function";

/** How deep constants of a launch are followed. */
const deepest = 8;

/** An expression of a launch in the host function's parameters and numbers; undefined when it has others. */
export function inHostWords(expression: string, site: LaunchSite, host: HostFunction): string | undefined {
  const known = new Set(host.parameters.map(({ name }) => name));
  let words = expression;
  for (let depth = 0; depth < deepest; depth += 1) {
    const others = namesIn(words).filter((name) => !known.has(name));
    if (others.length === 0) return /^[\w\s+\-*/%()]+$/.test(words) ? words : undefined;
    if (others.some((name) => site.constants[name] === undefined)) return undefined;
    words = words.replace(/[A-Za-z_]\w*/g, (name) =>
      known.has(name) ? name : `(${site.constants[name] ?? name})`,
    );
  }
  return undefined;
}

/** A size in the words of a kernel, in those of its host; undefined when a name has none. */
export function renamed(
  size: string | number,
  words: ReadonlyMap<string, string | undefined>,
): string | number | undefined {
  if (typeof size === "number") return size;
  if (namesIn(size).some((name) => words.has(name) && words.get(name) === undefined)) return undefined;
  return size.replace(/[A-Za-z_]\w*/g, (name) => {
    const word = words.get(name);
    if (word === undefined || word === size) return word ?? name;
    return /^\w+$/.test(word) ? word : `(${word})`;
  });
}
