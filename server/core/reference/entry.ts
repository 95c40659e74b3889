import * as z from "zod/mini";

/** Languages whose names editors explain. */
export const referenceLanguages = ["cuda", "triton"] as const;
/** Models look instructions of PTX up as well. */
const lookedUp = [...referenceLanguages, "ptx"] as const;

const sentence = z.string().check(z.regex(/\.$/));

/** One name of a language or library that editors explain: a function, a type, a variable, a keyword. */
const entryShape = z.strictObject({
  /** As it is written: `__shfl_sync`, `tl.load`. */
  name: z.string().check(z.minLength(1)),
  kind: z.enum(["function", "variable", "type", "keyword", "constant"]),
  /** With its name and types; one for each overload. */
  signatures: z.optional(z.array(z.string()).check(z.minLength(1))),
  /** Markdown; one or two sentences. */
  about: sentence,
  /** What a parameter of the signatures means, by its name. */
  parameters: z.optional(z.record(z.string(), sentence)),
  /** What one has to know, a sentence or two each. */
  notes: z.optional(z.array(sentence).check(z.minLength(1))),
  /** The first architecture that has it: `sm_80`. */
  since: z.optional(z.string().check(z.regex(/^sm_\d+$/))),
  /** The header that declares it, where the compiler does not know it by itself. */
  header: z.optional(z.string()),
});

/** One file of entries. */
export const referenceShape = z.strictObject({
  language: z.enum(lookedUp),
  /** Of CUDA or Triton, whose headers or sources the signatures were compared with. */
  version: z.string(),
  entries: z.array(entryShape),
});

export type ReferenceEntry = z.infer<typeof entryShape>;
export type ReferenceLanguage = (typeof referenceLanguages)[number];
