import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { usesOf } from "../../../../language/query";
import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import type { KernelView } from "../kernel";

/** Sums over all elements up to the thread's own, each begun anew. */
export interface Prefix {
  readonly loop: CountedLoop;
  readonly sums: readonly { readonly name: string; readonly type: string }[];
  /** What has to be the same for all lanes of a warp that sum together, as conditions. */
  readonly alike: readonly string[];
}

const all = "0xffffffffu";

/** The loop as the lanes of a warp do it together, and as it was where they cannot. */
export function sharedLoop({ source }: KernelView, { loop, sums, alike }: Prefix): TextEdit {
  const { variable, type: written, start, bound, comparison, body } = loop;
  const type = written.replace(/\bconst\b/g, "").trim();
  const [lane, ends, common] = ["lane", "ends", "common"].map((wish) => freshName(source, wish));
  const [offset, below] = ["offset", "below"].map((wish) => freshName(source, wish));
  const named = (suffix: string): ReadonlyMap<string, string> =>
    new Map(sums.map(({ name }) => [name, freshName(source, `${name}${suffix}`)]));
  const [parts, owns] = [named("Part"), named("Own")];
  const bodyWith = (names: ReadonlyMap<string, string>): string =>
    editedText(
      source,
      { start: body.startIndex, end: body.endIndex },
      [...names].flatMap(([name, own]) => usesOf(body, name).map((use) => replaceNode(use, own))),
    );
  const conditions = [
    `(${ends} - ${lane} == __shfl_sync(${all}, ${ends}, 0))`,
    `(${ends} - ${lane} >= (${start.text}))`,
    ...alike,
  ];
  const shifted = (text: string): string => `for (int ${offset} = ${text})`;
  const lines = [
    "{",
    `  const int ${lane} = threadIdx.x % 32;`,
    `  const ${type} ${ends} = ${bound.text}${comparison === "<=" ? " + 1" : ""};`,
    `  if (__activemask() == ${all} && __all_sync(${all}, ${conditions.join(" & ")})) {`,
    `    const ${type} ${common} = ${ends} - ${lane};`,
    ...sums.map(({ name, type: kind }) => `    ${kind} ${parts.get(name)} = 0, ${owns.get(name)} = 0;`),
    `    for (${type} ${variable} = (${start.text}) + ${lane}; ${variable} < ${common}; ${variable} += 32)`,
    `      ${bodyWith(parts)}`,
    `    if (${lane} < 31) {`,
    `      const ${type} ${variable} = ${common} + ${lane};`,
    `      ${bodyWith(owns)}`,
    "    }",
    `    ${shifted(`16; ${offset} > 0; ${offset} /= 2`)} {`,
    ...sums.map(({ name }) => {
      const part = parts.get(name);
      return `      ${part} += __shfl_xor_sync(${all}, ${part}, ${offset});`;
    }),
    "    }",
    `    ${shifted(`1; ${offset} < 32; ${offset} *= 2`)} {`,
    ...sums.map(({ name, type: kind }) => {
      const own = owns.get(name);
      const handed = `const ${kind} ${below} = __shfl_up_sync(${all}, ${own}, ${offset});`;
      return `      { ${handed} if (${lane} >= ${offset}) ${own} += ${below}; }`;
    }),
    "    }",
    ...sums.map(({ name, type: kind }) => {
      const own = owns.get(name);
      const handed = `const ${kind} ${below} = __shfl_up_sync(${all}, ${own}, 1);`;
      return `    { ${handed} ${name} += ${parts.get(name)}; if (${lane} > 0) ${name} += ${below}; }`;
    }),
    "  } else {",
    `    ${loop.loop.text}`,
    "  }",
    "}",
  ];
  return replaceNode(loop.loop, lines.join(`\n${indentOf(source, loop.loop)}`));
}
