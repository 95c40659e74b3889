import * as z from "zod/mini";
import { type Fields, objectOf } from "../../../../../core/base/shape";
import { memoryLevels, operationKinds } from "../../../../../core/timing/pictures/ceilings";
import { linkNames } from "../../../../../core/timing/pictures/memory-links";
import type { ComparedFigure, PerformanceView } from "../../../../../protocol/performance-views";
import type { PerformanceParams } from "../../../../../protocol/requests";

const wholeNumber = z.number().check(z.nonnegative(), z.multipleOf(1));
const quantity = z.number().check(z.nonnegative());
const share = quantity.check(z.lte(1.000001));
/** Of a kernel, a GPU, a term: no text of a source. */
const name = z.string().check(z.maxLength(1000));

/** What a client asks for. */
export const performanceParams: z.ZodMiniType<PerformanceParams> = objectOf<PerformanceParams>()({
  uri: z.string(),
  kernel: z.string(),
  shape: z.optional(wholeNumber),
  gpu: z.optional(name),
  again: z.optional(z.boolean()),
});

const figure = z.strictObject({
  role: z.enum(["now", "before", "other"]),
  title: name,
  simulatedNanoseconds: z.nullable(quantity),
  gpu: name,
  architecture: name,
  nanoseconds: quantity,
  binding: name,
  terms: z.array(z.strictObject({ name, nanoseconds: quantity })),
  floorNanoseconds: z.nullable(quantity),
  ceilings: z.strictObject({
    memory: z.record(z.enum(memoryLevels), quantity),
    operations: z.record(z.enum(operationKinds), quantity),
    instructions: quantity,
  }),
  launches: z.array(
    z.strictObject({
      kernel: name,
      blocks: wholeNumber,
      threadsPerBlock: wholeNumber,
      times: wholeNumber,
      nanoseconds: quantity,
      binding: name,
      operations: z.record(z.enum(operationKinds), quantity),
      instructions: quantity,
      bytes: z.record(z.enum(memoryLevels), quantity),
      occupancy: share,
    }),
  ),
  memory: z.array(
    z.strictObject({
      name: z.enum(linkNames),
      askedBytes: z.nullable(quantity),
      bytes: quantity,
      transactions: quantity,
      idealTransactions: z.nullable(quantity),
    }),
  ),
} satisfies Fields<ComparedFigure>);

const simulation = z.strictObject({
  kernel: name,
  gpu: name,
  nanoseconds: quantity,
  residentWarps: wholeNumber,
  simulatedShare: share,
  instructionsPerClock: quantity,
  isSound: z.boolean(),
  busy: z.array(z.strictObject({ unit: name, share: quantity })),
  stretches: z
    .array(
      z.strictObject({
        fromNanoseconds: quantity,
        instructionsPerClock: quantity,
        shares: z.array(share),
      }),
    )
    .check(z.maxLength(64)),
});

/** What the page is given: finite numbers and names, and no field beside them. */
export const performanceView: z.ZodMiniType<PerformanceView> = z.strictObject({
  kernel: name,
  target: name,
  shapes: z.array(name),
  shape: wholeNumber,
  gpus: z.array(name),
  figures: z.array(figure),
  trouble: name,
  measuredNanoseconds: z.nullable(quantity),
  simulation: z.nullable(simulation),
  notSimulated: name,
} satisfies Fields<PerformanceView>);
