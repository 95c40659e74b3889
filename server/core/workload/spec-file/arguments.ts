import * as z from "zod/mini";
import { described, notes } from "../../base/shape";
import type {
  AddressField,
  ArgumentSpec,
  BytesArgument,
  ElementField,
  FieldsArgument,
  PointerArgument,
  PointerInBytes,
  ScalarArgument,
  StructureField,
} from "../spec";
import { dataType, size, sizeWords } from "./tensors";
import { expected, mustBe, strictOf, textOf } from "./words";

const argumentWords = 'the name of an input or output, or { "value": SIZE, "dtype": TYPE }';

const isOffset = mustBe("a whole number of bytes, zero or more");
const bytesOffset = z.int(isOffset).check(z.gte(0, isOffset));

const place = strictOf<PointerInBytes>()(
  { at: bytesOffset, buffer: z.string(mustBe("the name of an input or output")), offset: bytesOffset },
  '{ "at": BYTE, "buffer": NAME, "offset": BYTES }',
);

const areBytes = 'the bytes of a structure as lower-case hex were expected, such as "0000803f"';
const bytes = strictOf<BytesArgument>()(
  {
    bytes: z
      .string(areBytes)
      .check(z.regex(/^(?:[0-9a-f]{2})+$/, areBytes))
      .register(notes, { description: "A structure passed by value, as lower-case hex." }),
    pointers: described(
      z.array(place, expected("an array of places that hold addresses")),
      "Places in it that hold addresses.",
    ),
  },
  argumentWords,
);

const pointer = strictOf<PointerArgument>()(
  { buffer: textOf("the name of an input or output"), offset: size },
  argumentWords,
).register(notes, { description: "A pointer into a buffer, so many bytes behind its start." });

const floating = /^b?float/;

/** A number of a floating type may have a fraction; others are sizes. */
const scalar = strictOf<ScalarArgument>()(
  { value: z.union([z.number(), z.string().check(z.regex(/\S/))], sizeWords), dtype: dataType },
  argumentWords,
)
  .check(
    z.refine(({ value, dtype }) => floating.test(dtype) || size.safeParse(value).success, {
      path: ["value"],
      error: sizeWords,
    }),
  )
  .register(notes, {
    if: { properties: { dtype: { type: "string", pattern: floating.source } } },
    else: { properties: { value: { $ref: "#/definitions/size" } } },
  });

const fieldWords =
  '{ "at": BYTE, "buffer": NAME }, { "at": BYTE, "value": SIZE, "dtype": TYPE } or { "at": BYTE, "each": NAME }';
const addressField = strictOf<AddressField>()(
  {
    at: bytesOffset,
    buffer: textOf("the name of an input or output"),
    stride: described(size, "In an array of structures: bytes from the address of one to that of the next."),
  },
  fieldWords,
);
const numberField = strictOf<{ readonly at: number } & ScalarArgument>()(
  {
    at: bytesOffset,
    value: z.union([z.number(), z.string().check(z.regex(/\S/))], sizeWords),
    dtype: dataType,
  },
  fieldWords,
);
const elementField = strictOf<ElementField>()(
  {
    at: bytesOffset,
    each: textOf("the name of an input").register(notes, {
      description: "In an array of structures: the input of which each structure holds the next element.",
    }),
  },
  fieldWords,
);
const field: z.ZodMiniType<StructureField> = z.union(
  [addressField, numberField, elementField],
  `${fieldWords} was expected`,
);

const fields = strictOf<FieldsArgument>()(
  {
    byteLength: z.int(isOffset).check(z.gte(0, isOffset)).register(notes, {
      description: "Bytes of the structure.",
    }),
    count: described(size, "The address of so many of them in the memory of the GPU is passed."),
    fields: z.array(field, expected("an array of fields")).register(notes, {
      description: "What stands in it, each at its byte; the rest is zero.",
    }),
  },
  argumentWords,
).register(notes, { description: "A structure passed by value, by its fields." });

/** One argument. */
export const argument: z.ZodMiniType<ArgumentSpec> = z.union(
  [z.string(), scalar, bytes, pointer, fields],
  `${argumentWords} was expected`,
);

/** The arguments of a launch or of an entry, in the order of the parameters. */
export const argumentList = z
  .array(
    argument,
    expected('an array: names of inputs and outputs, or { "value": SIZE, "dtype": TYPE } for a scalar'),
  )
  .register(notes, {
    id: "arguments",
    description:
      'In the order of the parameters: names of inputs and outputs, and scalars as { "value": SIZE, "dtype": TYPE }.',
  });
