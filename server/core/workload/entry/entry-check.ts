import type { PathProblem, SpecPath } from "../located-json";
import { type EntrySpec, filledSymbol, type KernelSpec } from "../spec";
import { namesInCall } from "./python-call";

/** The members of structures are arguments, each of one structure at most. */
export function structureProblems({ arguments: given, structures = [] }: EntrySpec): readonly PathProblem[] {
  let end = 0;
  return structures.flatMap(({ first, members }, index): readonly PathProblem[] => {
    const isRight = first >= end && first + members <= given.length;
    end = first + members;
    const message = `arguments ${first} to ${end - 1} are no members of a structure of their own: there are ${given.length} arguments, and structures stand in their order`;
    return isRight ? [] : [{ path: ["entry", "structures", index], message }];
  });
}

/** A function is handed whole buffers, and bytes as they stand. */
export function placeProblems(entry: EntrySpec): readonly PathProblem[] {
  return entry.arguments.flatMap((argument, index): readonly PathProblem[] => {
    const path: SpecPath = ["entry", "arguments", index];
    if (typeof argument === "string") return [];
    if ("buffer" in argument)
      return [
        {
          path,
          message: `a place inside of ${argument.buffer} cannot be passed to a function: pass "${argument.buffer}" and let the function add the offset, or use "launch"`,
        },
      ];
    if ("fields" in argument)
      return [
        {
          path,
          message:
            'a function is given the members of a structure as arguments of their own, and "structures" says which they are: name them so, or use "launch"',
        },
      ];
    if ("bytes" in argument && argument.pointers !== undefined)
      return [
        {
          path: [...path, "pointers"],
          message:
            'a function is handed bytes as they stand, without addresses of buffers: pass the buffers as arguments of a function that fills the structure, or use "launch"',
        },
      ];
    return [];
  });
}

/** What an expression holds cannot be known without Python; that it names each input can. */
export function callProblems(spec: KernelSpec, entry: EntrySpec): readonly PathProblem[] {
  const named = namesInCall(entry);
  const missing = Object.keys(spec.inputs)
    .filter((name) => !named.has(name))
    .map((name) => ({
      path: ["inputs", name],
      message: `the input "${name}" is not in the entry's expression: name it there or remove it here`,
    }));
  if (entry.arguments.length === 0) return missing;
  const message = "an entry that is an expression holds its arguments itself: remove these";
  return [{ path: ["entry", "arguments"], message }, ...missing];
}

/** What is said of a C++ function alone. */
export function languageProblems({ sources, symbols, scratch }: EntrySpec): readonly PathProblem[] {
  const problems: PathProblem[] = [];
  if (sources !== undefined)
    problems.push({
      path: ["entry", "sources"],
      message: "Python imports what it needs: sources are named for a C++ function alone; remove these",
    });
  if (symbols !== undefined)
    problems.push({
      path: ["entry", "symbols"],
      message: "variables are filled for a C++ function alone; remove these",
    });
  if (scratch !== undefined)
    problems.push({
      path: ["entry", "scratch"],
      message:
        "Python allocates what it needs: scratch buffers are lent to a C++ function alone; remove these",
    });
  return problems;
}

/** Variables are filled before a call, and hold no addresses. */
export function symbolProblems({ outputs }: KernelSpec, { symbols = [] }: EntrySpec): readonly PathProblem[] {
  return symbols.flatMap((each, index): readonly PathProblem[] => {
    const { symbol, with: given } = filledSymbol(each);
    const path: SpecPath = ["entry", "symbols", index];
    if (typeof given === "string") {
      const message = `${symbol} is filled before the call and not read behind it: "${given}" is an output, which a variable cannot be here; pass it as an argument or use "launch"`;
      return Object.hasOwn(outputs, given) ? [{ path, message }] : [];
    }
    const hasAddress =
      "buffer" in given ||
      ("fields" in given && given.fields.some((field) => !("value" in field))) ||
      ("bytes" in given && given.pointers !== undefined);
    const message = `${symbol} cannot be given the address of a buffer: name an input, a number, bytes or a structure of numbers`;
    return hasAddress ? [{ path, message }] : [];
  });
}

/** A scratch buffer is an argument, and no tensor that is given or compared. */
export function scratchProblems(
  { inputs, outputs }: Pick<KernelSpec, "inputs" | "outputs">,
  { arguments: given, scratch = {} }: EntrySpec,
): readonly PathProblem[] {
  return Object.keys(scratch).flatMap((name): readonly PathProblem[] => {
    const path: SpecPath = ["entry", "scratch", name];
    if (Object.hasOwn(inputs, name) || Object.hasOwn(outputs, name)) {
      const message = `"${name}" is an input or output as well: what is scratch is neither given nor compared; remove it in one of the places`;
      return [{ path, message }];
    }
    const message = `"${name}" is no argument of the function, which could not use it: pass it or remove it here`;
    return given.includes(name) ? [] : [{ path, message }];
  });
}
