import * as z from "zod/mini";
import { described, notes } from "../../base/shape";
import { type InstructionFamily, instructionFamilies } from "../../base/instruction-families";
import { nameableEndings, type KernelSpec, type ProgramSpec, type Provenance } from "../spec";
import { reference, shapeCase, sizes, tolerance } from "./cases";
import { entry, launch } from "./run";
import { inputs, outputs } from "./tensors";
import { expected, mustBe, mustBeOneOf, strictOf, textOf } from "./words";

/*
 * The schema of NAME.kernel.json: what is read, what each wrong entry is answered, and the JSON Schema that
 * editors use (`json-schema.ts`).
 */

const programWords = '"program" must be { "file": FILE, "arguments": [ … ], "compileOptions": [ … ] }';
function someWords() {
  return z._default(z.array(z.string(mustBe("a word")), mustBe("an array of words")), []);
}

const program = strictOf<ProgramSpec>()(
  {
    file: z.string(programWords).check(z.minLength(1, programWords)).register(notes, {
      description: "Its first source or script, relative to this file.",
    }),
    arguments: someWords(),
    compileOptions: someWords().register(notes, {
      description: "Further sources and options for the compiler.",
    }),
  },
  programWords,
);

type Origin = Exclude<Provenance, "user">;
const origins = {
  recorded: "recorded",
  probed: "probed",
  inferred: "inferred",
  guessed: "guessed",
} as const satisfies Readonly<Record<Origin, Origin>>;
const originWords = `one of ${Object.keys(origins).join(", ")}`;

const endings = nameableEndings;
const kernelPattern = new RegExp(
  `^[^:]+(${endings.map((ending) => ending.replace(".", "\\.")).join("|")})::[A-Za-z_][\\w.:<>, ]*$`,
);

function kernelWords({ input }: z.core.$ZodRawIssue): string {
  const file = typeof input === "string" ? /^([^:]+)::[A-Za-z_][\w.:<>, ]*$/.exec(input)?.[1] : undefined;
  return file === undefined
    ? '"kernel" must be "FILE::NAME", such as "softmax.cu::softmax"'
    : `the file ${file} has no known ending: ${endings.join(", ")} are known`;
}

function versionWords({ input }: z.core.$ZodRawIssue): string {
  return input === undefined
    ? '"version": 1 is missing'
    : "the version must be 1: this program reads no other";
}

const families = Object.fromEntries(instructionFamilies.map((each) => [each, each])) as Readonly<
  Record<InstructionFamily, InstructionFamily>
>;
const familyWords = `an array of families of instructions: ${instructionFamilies.join(", ")}`;
const family = z.enum(families, mustBeOneOf(instructionFamilies));

const objective: z.ZodMiniType<KernelSpec["objective"]> = z._default(
  z.literal("modelled-bound", mustBe("one of modelled-bound")),
  "modelled-bound",
);

const file = strictOf<unknown>()(
  {
    $schema: z.optional(z.string()),
    version: z
      .literal(1, { error: versionWords })
      .register(notes, { description: "Version of this format." }),
    kernel: z
      .string({ error: kernelWords })
      .check(z.regex(kernelPattern, { error: kernelWords }))
      .register(notes, {
        description: 'FILE::NAME, the file relative to the folder of this spec: "softmax.cu::softmax".',
      }),
    launch: described(
      launch,
      "A CUDA kernel, launched directly. Grid and block are read from the launch site in the source when they are left out.",
    ),
    entry: described(
      entry,
      "A host function that launches the kernel. A Python function returns the outputs or fills them, a C++ function fills them.",
    ),
    inputs,
    outputs,
    shapes: z.array(shapeCase, expected('an array of shapes, each with "sizes"')).register(notes, {
      minItems: 1,
      description:
        "Values of the size variables. Choose sizes that are no multiple of a block as well. The first one that is not held out is profiled.",
    }),
    pricedAt: described(
      sizes,
      "The sizes at which the work is priced, where those of the shapes are too small to fill a GPU. One case of the full check has them.",
    ),
    reference,
    tolerance: described(
      tolerance,
      "An element is right when |actual - expected| <= absolute + relative * |expected|. Left out: by the dtype.",
    ),
    requires: described(
      z.array(family, mustBe(familyWords)),
      "Instructions that the machine code has to have: a candidate without them is wrong, whatever its values.",
    ),
    objective: objective.register(notes, {
      description: "What is made smaller: the bound modelled from counts.",
    }),
    editable: described(
      z.array(textOf("a path relative to this file"), expected("an array of paths")),
      "Other files, relative to this one, that may be edited as well. A pattern (`*` within a name, `**` for folders too) is for all files that it finds, and new files may be made where it would find them.",
    ),
    program: described(
      program,
      "The program whose launches are the shapes. The kernel is compiled with its options.",
    ),
    origins: described(
      z.record(z.string(), z.enum(origins, mustBe(originWords)), mustBe(`an object: NAME → ${originWords}`)),
      'Where facts of this file come from that are not yours, by their path: "launch.grid": "guessed". Remove an entry to confirm it.',
    ),
  },
  'a kernel spec (an object: { "version": 1, "kernel": … })',
);

/** Reported even where other entries are wrong too. */
const always = {
  when: ({ value }: z.core.ParsePayload): boolean => z.looseObject({}).safeParse(value).success,
};

export const specFile = file
  .check(
    z.refine((given) => given.launch !== undefined || given.entry !== undefined, {
      ...always,
      error:
        'either "launch" (a CUDA kernel, launched directly) or "entry" (a host function that launches it) is missing',
    }),
    z.refine((given) => given.launch === undefined || given.entry === undefined, {
      ...always,
      path: ["entry"],
      error: '"launch" and "entry" exclude each other: remove one',
    }),
  )
  .register(notes, {
    title: "Kernel spec",
    description: "How to run and judge one GPU kernel: arguments, shapes, reference and tolerance.",
    oneOf: [{ required: ["launch"] }, { required: ["entry"] }],
  });

/** A spec file whose entries all have the right form. */
export type SpecFile = z.output<typeof specFile>;
