import * as z from "zod/mini";
import type { Fields } from "../../base/shape";
import { knownOrMeant, likelyMeant } from "../../base/text";

/*
 * What the schemas of the spec file say: each place words its own problem, as one who writes the file reads
 * it.
 */

type Issue = z.core.$ZodRawIssue;
interface Words {
  readonly error: (issue: Issue) => string;
}

/** `"grid" is missing: an array … was expected`. */
export function expected(what: string): Words {
  return {
    error: ({ path, input }) => {
      const name = path?.at(-1);
      if (typeof name !== "string") return `${what} was expected`;
      const fault = input === undefined ? "is missing" : "has the wrong form";
      return `"${name}" ${fault}: ${what} was expected`;
    },
  };
}

/** `"dtype" must be one of bool, int8`. */
export function mustBeOneOf(choices: readonly string[]): Words {
  return {
    error: ({ path, input }) =>
      `"${String(path?.at(-1))}" must be one of ${choices.join(", ")}${guessOf(input, choices)}`,
  };
}

/** `; did you mean "normal"?` behind a choice that is near to one that there is. */
export function guessOf(input: unknown, choices: readonly string[]): string {
  const meant = typeof input === "string" ? likelyMeant(input, choices) : undefined;
  return meant === undefined ? "" : `; did you mean "${meant}"?`;
}

/** `"weight" must be a number above zero`. */
export function mustBe(what: string): Words {
  return { error: ({ path }) => `"${String(path?.at(-1))}" must be ${what}` };
}

/**
 * An object with these fields and no others; of a part that a type describes, the compiler asks for every
 * field.
 */
export function strictOf<Type>() {
  return <Given extends Fields<Type>>(
    fields: Given,
    what: string,
  ): z.ZodMiniObject<Given, z.core.$strict> => {
    const names = Object.keys(fields).filter((name) => name !== "$schema");
    const absent = expected(what);
    return z.strictObject(fields, {
      error: (issue) => {
        if (issue.code !== "unrecognized_keys") return absent.error(issue);
        return knownOrMeant(issue.keys.length === 1 ? issue.keys[0] : undefined, names);
      },
    });
  };
}

/** A text that is not empty. */
export function textOf(what: string): z.ZodMiniString {
  const words = { error: `${what} was expected` };
  return z.string(words).check(z.minLength(1, words));
}
