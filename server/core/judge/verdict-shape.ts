import * as z from "zod/mini";
import { anyNumber, objectOf } from "../base/shape";
import { countersShape } from "../timing/counters-shape";
import type { HostCalls, HostTime } from "../timing/host/host-calls";
import { measurementShape } from "./measurement-shape";
import type { Distribution, ShapeCase } from "../workload/spec";
import type { KernelProof, ProofAnswer, ProofWitness } from "./proof";
import type {
  CheckedCase,
  CommandScore,
  ScoredVerdict,
  CompiledFacts,
  CorrectVerdict,
  Diagnostic,
  Evidence,
  Finding,
  FindingParty,
  JudgedLaunch,
  MachineLine,
  MadeUp,
  Mismatch,
  ModelledBound,
  ShapeBound,
  ShapeCost,
  SmallestFailure,
  ValueWriter,
  Verdict,
} from "./verdict";

const place = z.optional(z.tuple([z.number(), z.number(), z.number()]));
/** A number, or one that JSON has no form for as a text: "NaN". */
const value = z.union([anyNumber, z.string()]);
const sizes = z.record(z.string(), z.number());

const diagnostic = objectOf<Diagnostic>()({
  severity: z.enum(["error", "warning", "information"]),
  file: z.string(),
  line: z.number(),
  column: z.number(),
  message: z.string(),
  source: z.string(),
});

const machineLine = objectOf<MachineLine>()({
  file: z.string(),
  line: z.number(),
  instructions: z.number(),
  staticStallCycles: z.number(),
  spillInstructions: z.number(),
  mix: z.record(z.string(), z.number()),
});

const facts = objectOf<CompiledFacts>()({
  kernel: z.string(),
  architecture: z.string(),
  registers: z.number(),
  spillStoreBytes: z.number(),
  spillLoadBytes: z.number(),
  stackBytes: z.number(),
  sharedBytes: z.number(),
  threadsPerBlock: z.optional(z.number()),
  block: place,
  machineCode: z.optional(z.array(machineLine)),
  families: z.optional(z.array(z.string())),
});

const triple = z.tuple([z.number(), z.number(), z.number()]);

const writer = objectOf<ValueWriter>()({ file: z.string(), line: z.number(), block: triple, thread: triple });

const mismatch = objectOf<Mismatch>()({
  output: z.string(),
  index: z.array(z.number()),
  expected: value,
  actual: value,
  wrong: z.number(),
  total: z.number(),
  maxAbsoluteError: value,
  where: z.optional(z.string()),
  cause: z.optional(z.enum(["tail", "index-overflow", "scale", "precision", "reduction-order", "race"])),
  isUnstored: z.optional(z.boolean()),
  rightWith: z.optional(
    objectOf<NonNullable<Mismatch["rightWith"]>>()({ name: z.string(), size: z.number() }),
  ),
  writer: z.optional(writer),
});

const party = objectOf<FindingParty>()({
  access: z.enum(["read", "write", "atomic", "barrier", "instruction"]),
  file: z.string(),
  line: z.number(),
  block: place,
  thread: place,
});

const finding = objectOf<Finding>()({
  kind: z.string(),
  file: z.string(),
  line: z.number(),
  message: z.string(),
  count: z.optional(z.number()),
  block: place,
  thread: place,
  other: z.optional(party),
});

const smallest = z.optional(objectOf<SmallestFailure>()({ sizes, tried: z.number() }));

export const inputVariant = z.enum([
  "declared",
  "wide",
  "zero-one",
  "extreme",
  "small",
  "all-bits",
  "one-sided",
  "alike",
  "mostly-zero",
  "long-row",
  "ends",
  "least",
  "greatest",
  "strided",
  "crowded",
  "beside-halves",
  "far-from-zero",
  "arranged",
  "cancelling",
  "like",
  "few",
  "halves",
  "not-above-zero",
  "not-below-zero",
  "nan",
  "infinite",
  "tiny",
  "largest",
  "vast",
  "faint",
]);

/** A word, or an object of a kind; a later version may know more of both. */
const distribution = z.custom<Distribution>(
  (value) => typeof value === "string" || (typeof value === "object" && value !== null && "kind" in value),
);

export const madeUpShape = objectOf<MadeUp>()({
  why: z.string(),
  inputs: z.optional(z.record(z.string(), distribution)),
});

const checkedCase = objectOf<CheckedCase>()({
  shape: objectOf<ShapeCase>()({
    sizes,
    heldOut: z.optional(z.boolean()),
    values: z.optional(z.record(z.string(), anyNumber)),
    recorded: z.optional(z.record(z.string(), z.string())),
    results: z.optional(z.record(z.string(), z.string())),
    weight: z.optional(z.number()),
  }),
  inputs: z.optional(inputVariant),
  passed: z.boolean(),
  tolerance: objectOf<CheckedCase["tolerance"]>()({ absolute: anyNumber, relative: anyNumber }),
  mismatch: z.optional(mismatch),
  findings: z.array(finding),
  smallest,
  remarks: z.optional(z.array(z.string())),
  madeUp: z.optional(madeUpShape),
});

const countedCalls = objectOf<HostCalls["toHost"]>()({ calls: z.number(), bytes: z.number() });

const hostShape = objectOf<HostTime>()({
  nanoseconds: z.number(),
  calls: objectOf<HostCalls>()({
    toHost: countedCalls,
    toDevice: countedCalls,
    waits: z.number(),
    allocations: objectOf<HostCalls["allocations"]>()({
      small: z.number(),
      large: z.number(),
      pooled: z.number(),
    }),
    pinned: z.optional(countedCalls),
    sharedBytes: z.number(),
    crossedBytes: z.optional(z.number()),
    steps: z.optional(z.number()),
  }),
  isRelative: z.optional(z.boolean()),
});

export const boundShape = objectOf<ModelledBound>()({
  gpu: z.string(),
  nanoseconds: anyNumber,
  simulatedNanoseconds: z.optional(z.number()),
  simulatedLimit: z.optional(z.string()),
  fillsGpu: z.optional(z.boolean()),
  host: z.optional(hostShape),
  terms: z.record(z.string(), anyNumber),
  binding: z.string(),
});

const launch = objectOf<JudgedLaunch>()({
  kernel: z.optional(z.string()),
  blocks: z.number(),
  threadsPerBlock: z.number(),
  registersPerThread: z.number(),
  sharedBytes: z.number(),
  footprintBytes: z.number(),
  times: z.number(),
  bound: boundShape,
});

const shapeBound = objectOf<ShapeBound>()({ sizes, weight: z.number(), bound: boundShape });

const shapeCost = objectOf<ShapeCost>()({
  sizes,
  nanoseconds: anyNumber,
  hostNanoseconds: z.optional(z.number()),
});

const evidence = objectOf<Evidence>()({
  sourceDigest: z.string(),
  target: z.string(),
  specDigest: z.string(),
  sizes,
});

export const scoreShape = objectOf<CommandScore>()({
  values: z.array(z.number()),
  median: z.number(),
  noise: z.optional(z.number()),
  better: z.enum(["lower", "higher"]),
  unit: z.optional(z.string()),
});

const witness = objectOf<ProofWitness>()({
  sizes,
  block: place,
  thread: place,
  other: z.optional(z.object({ block: place, thread: place, line: z.number() })),
  unlike: z.optional(z.array(z.object({ size: z.string(), step: z.number() }))),
});

const answer = objectOf<ProofAnswer>()({
  question: z.enum(["in-bounds", "aligned", "race-free"]),
  outcome: z.enum(["proved", "refuted", "not-decided"]),
  asked: z.number(),
  open: z.number(),
  why: z.optional(z.string()),
  file: z.optional(z.string()),
  line: z.optional(z.number()),
  witness: z.optional(witness),
  tried: z.optional(z.number()),
});

const proof = objectOf<KernelProof>()({
  kernel: z.string(),
  answers: z.array(answer),
  assumed: z.array(z.string()),
});

const proofs = z.optional(z.array(proof));

const tier = z.enum(["quick", "full"]);

type Of<Kind extends Verdict["kind"]> = Extract<Verdict, { readonly kind: Kind }>;

/** A verdict as a log of any version holds it. */
export const verdictShape: z.ZodMiniType<Verdict> = z.discriminatedUnion("kind", [
  objectOf<Of<"did-not-parse">>()({ kind: z.literal("did-not-parse"), diagnostics: z.array(diagnostic) }),
  objectOf<Of<"did-not-compile">>()({ kind: z.literal("did-not-compile"), diagnostics: z.array(diagnostic) }),
  objectOf<Of<"refused">>()({
    kind: z.literal("refused"),
    reason: z.string(),
    file: z.optional(z.string()),
    line: z.optional(z.number()),
  }),
  objectOf<Of<"did-not-run">>()({
    kind: z.literal("did-not-run"),
    reason: z.string(),
    findings: z.array(finding),
    smallest,
    proofs,
  }),
  objectOf<Of<"timed-out">>()({ kind: z.literal("timed-out"), stage: z.string(), limitSeconds: z.number() }),
  objectOf<Of<"wrong">>()({
    kind: z.literal("wrong"),
    tier,
    cases: z.array(checkedCase),
    facts: z.array(facts),
    proofs,
  }),
  objectOf<ScoredVerdict>()({
    kind: z.literal("scored"),
    tier,
    score: scoreShape,
    evidence,
  }),
  objectOf<CorrectVerdict>()({
    kind: z.literal("correct"),
    tier,
    cases: z.array(checkedCase),
    facts: z.array(facts),
    counters: countersShape,
    bound: boundShape,
    launches: z.optional(z.array(launch)),
    shapeBounds: z.optional(z.array(shapeBound)),
    shapeCosts: z.optional(z.array(shapeCost)),
    simulatedNanoseconds: z.optional(z.number()),
    measured: z.optional(measurementShape),
    proofs,
    protections: z.optional(z.array(z.string())),
    evidence,
  }),
]);
