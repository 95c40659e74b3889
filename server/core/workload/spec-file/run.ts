import * as z from "zod/mini";
import { described, notes } from "../../base/shape";
import { isPythonExpression } from "../entry/python-call";
import type { EntrySpec, EntrySymbol, FilledSymbol, LaunchSpec, StructureSpec } from "../spec";
import { argument, argumentList } from "./arguments";
import { outputs, size } from "./tensors";
import { expected, strictOf, textOf } from "./words";

const dimensionWords = "one to three sizes were expected, x first";
const dimensions = z
  .array(size, expected("an array of one to three sizes, x first"))
  .check(z.minLength(1, dimensionWords), z.maxLength(3, dimensionWords))
  .register(notes, { id: "dimensions" });

const words = z.array(textOf("a text"), expected("an array of texts"));

export const launch = strictOf<LaunchSpec>()(
  {
    grid: described(dimensions, "Blocks in x, y, z."),
    block: described(dimensions, "Threads of a block in x, y, z."),
    sharedBytes: described(size, "Dynamic shared memory in bytes."),
    arguments: argumentList,
    includedBy: described(
      textOf("a text"),
      "The source that includes the kernel's file and is compiled for it, where the file does not compile by itself.",
    ),
    symbols: described(
      words,
      "Inputs and outputs that are variables of the module (__constant__, __device__), by name.",
    ),
    instance: described(words, "Arguments of the template, as the compiler writes them."),
  },
  '{ "arguments": [ … ] }',
);

const callWords =
  '"call" must be "FILE::FUNCTION", such as "softmax.py::softmax" or "softmax.cu::launch_softmax", or "FILE.py::EXPRESSION", such as "norm.py::RMSNorm(hidden)(x)"';
const callPattern = /^[^:]+\.(?:py::[A-Za-z_](?:(?!::)[^\n])*|(?:cu|cuh|cpp|cc|h|hpp)::[A-Za-z_][\w:<>, ]*)$/;

const structurePattern = /^[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*(?:<[\w:, *]+>)?$/;
const structureWords = '{ "type": NAME, "first": INDEX, "members": COUNT }';
const structure = strictOf<StructureSpec>()(
  {
    type: z.string(structureWords).check(z.regex(structurePattern, "a C++ name was expected")),
    first: z.int(structureWords).check(z.gte(0, structureWords)),
    members: z.int(structureWords).check(z.gte(1, structureWords)),
  },
  structureWords,
);

const symbolPattern = /^(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*$/;
const symbolWords = 'the name of an input, or { "symbol": VARIABLE, "with": ARGUMENT }';
const variable = z.string(symbolWords).check(z.regex(symbolPattern, "a C++ name was expected"));
const symbol: z.ZodMiniType<EntrySymbol> = z.union(
  [variable, strictOf<FilledSymbol>()({ symbol: variable, with: argument }, symbolWords)],
  `${symbolWords} was expected`,
);

interface EntryFile {
  readonly call: string;
  readonly arguments?: z.infer<typeof argumentList>;
  readonly structures?: readonly StructureSpec[];
  readonly sources?: readonly string[];
  readonly symbols?: readonly EntrySymbol[];
  readonly scratch?: EntrySpec["scratch"];
}

export const entry = strictOf<EntryFile>()(
  {
    call: z.string(callWords).check(z.regex(callPattern, callWords)).register(notes, {
      description:
        "FILE::FUNCTION, the file relative to the folder of this spec; or FILE.py::EXPRESSION without arguments, over the inputs, outputs and sizes: norm.py::RMSNorm(hidden)(x).",
    }),
    arguments: z.optional(argumentList),
    structures: described(
      z.array(structure, expected(`an array of ${structureWords}`)),
      "Structures that a C++ function takes: which arguments are the members of one.",
    ),
    sources: described(
      words,
      "Sources that define what the file of a C++ function declares and calls, compiled with it as one.",
    ),
    symbols: described(
      z.array(symbol, expected("an array of variables")),
      "Variables of the module (__constant__, __device__) that are filled before a C++ function is called.",
    ),
    scratch: described(
      outputs,
      "Buffers that a C++ function is passed for what its kernels hand to each other: nothing of them is compared.",
    ),
  },
  '{ "call": "FILE::FUNCTION", "arguments": [ … ] }',
).check(
  z.refine((given) => given.arguments !== undefined || isPythonExpression(given), {
    path: ["arguments"],
    error: '"arguments" is missing: an array of the names of inputs and outputs was expected',
  }),
);
