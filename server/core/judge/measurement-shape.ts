import * as z from "zod/mini";
import { anyNumber, objectOf } from "../base/shape";
import type { GpuState } from "../hardware/gpu-state";
import type { ErrorsOfGpu, ModelError } from "../hardware/model-error";
import type { MeasuredAgainst, MeasuredShape, Measurement } from "../hardware/measurement";

const kind = z.enum(["faster", "slower", "no difference found"]);

const gpu = objectOf<GpuState>()({
  index: z.number(),
  uuid: z.string(),
  busId: z.string(),
  name: z.string(),
  driver: z.string(),
  architecture: z.string(),
  smMegahertz: z.optional(z.number()),
  memoryMegahertz: z.optional(z.number()),
  celsius: z.optional(z.number()),
  watts: z.optional(z.number()),
  limitWatts: z.optional(z.number()),
  heldBack: z.array(z.string()),
});

const against = objectOf<MeasuredAgainst>()({
  kind,
  baselineNanoseconds: anyNumber,
  ratio: anyNumber,
  lower: anyNumber,
  upper: anyNumber,
  rounds: z.number(),
});

const shape = objectOf<MeasuredShape>()({
  sizes: z.record(z.string(), z.number()),
  cache: z.enum(["cold", "sustained"]),
  nanoseconds: anyNumber,
  isSteady: z.boolean(),
  comparison: z.optional(against),
});

const modelError = objectOf<ModelError>()({
  sizes: z.record(z.string(), z.number()),
  cache: z.enum(["cold", "sustained"]),
  by: z.enum(["simulation", "bound"]),
  modelledNanoseconds: anyNumber,
  launchNanoseconds: z.optional(anyNumber),
  ratio: anyNumber,
});

const modelErrors = objectOf<ErrorsOfGpu>()({
  count: z.number(),
  median: anyNumber,
  least: anyNumber,
  greatest: anyNumber,
});

/** A measurement as a log holds it. */
export const measurementShape: z.ZodMiniType<Measurement> = objectOf<Measurement>()({
  origin: z.literal("measured"),
  before: gpu,
  after: gpu,
  shapes: z.array(shape),
  kind: z.optional(kind),
  protections: z.array(z.string()),
  remarks: z.array(z.string()),
  modelError: z.optional(modelError),
  modelErrors: z.optional(modelErrors),
});
