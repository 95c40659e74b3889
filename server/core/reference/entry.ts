import { z } from "zod";

/** Languages whose names are explained. */
export const referenceLanguages = ["cuda", "triton"] as const;

/** One name of a language or library that editors explain: a function, a type, a variable, a keyword. */
const entryShape = z.strictObject({
  /** As it is written: `__shfl_sync`, `tl.load`. */
  name: z.string().min(1),
  kind: z.enum(["function", "variable", "type", "keyword", "constant"]),
  /** With its name and types; one for each overload. */
  signatures: z.array(z.string()).min(1).optional(),
  /** Markdown; one or two sentences. */
  about: z.string().regex(/\.$/),
  /** What a parameter of the signatures means, by its name. */
  parameters: z.record(z.string(), z.string().regex(/\.$/)).optional(),
  /** What one has to know, a sentence or two each. */
  notes: z.array(z.string().regex(/\.$/)).min(1).optional(),
  /** The first architecture that has it: `sm_80`. */
  since: z
    .string()
    .regex(/^sm_\d+$/)
    .optional(),
  /** The header that declares it, where the compiler does not know it by itself. */
  header: z.string().optional(),
});

/** One file of entries. */
export const referenceShape = z.strictObject({
  language: z.enum(referenceLanguages),
  /** Of CUDA or Triton, whose headers or sources the signatures were compared with. */
  version: z.string(),
  entries: z.array(entryShape),
});

export type ReferenceEntry = z.infer<typeof entryShape>;
export type ReferenceLanguage = (typeof referenceLanguages)[number];
