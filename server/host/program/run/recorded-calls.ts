import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { OperationalError } from "../../../core/base/operational-error";
import type { DataType } from "../../../core/workload/spec";
import type {
  MissedLaunch,
  RecordedCall,
  RecordedTensor,
} from "../../../core/workload/capture/recorded-call";

const dataTypes = [
  ...["float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8"],
  ...["uint64", "uint32", "uint16", "uint8", "bool"],
] as readonly DataType[];

const tensor = z.object({
  name: z.string(),
  dtype: z.enum(dataTypes),
  shape: z.array(z.int()),
});

const values = z.union([
  z.object({ kind: z.enum(["range", "permutation"]), low: z.int(), high: z.int() }),
  z.object({ kind: z.enum(["normal", "uniform", "positive", "zero-one", "other"]) }),
]);

/** `calls.json` of a recording, as kernelwright_worker/recording writes it. */
const recording = z.array(
  z.object({
    kernels: z.array(z.object({ kernel: z.string(), file: z.string() })),
    file: z.string(),
    call: z.string(),
    isLaunch: z.boolean(),
    numbers: z.record(z.string(), z.int()),
    inputs: z.array(z.extend(tensor, { values })),
    outputs: z.array(tensor),
    changed: z.array(z.string()),
    count: z.int(),
  }),
);

/**
 * What a program has left in the folder of its recording; nothing where it was killed before it could write.
 * Throws `worker-protocol` for what no recording looks like: the program's own code wrote there.
 */
export async function readRecordedCalls(folder: string): Promise<readonly RecordedCall[]> {
  const text = await readFile(join(folder, "calls.json"), "utf8").catch(() => "[]");
  try {
    const calls = recording.parse(JSON.parse(text));
    return await Promise.all(calls.map((call, index) => withContents(call, `${folder}/${index}`)));
  } catch (cause) {
    throw unreadable(cause);
  }
}

const missedLaunches = z.array(z.object({ kernel: z.string(), file: z.string(), reason: z.string() }));

/** Kernels with launches that were not recorded, and why; none where nothing was written. */
export async function readMissedLaunches(folder: string): Promise<readonly MissedLaunch[]> {
  const text = await readFile(join(folder, "missed.json"), "utf8").catch(() => "[]");
  try {
    return missedLaunches.parse(JSON.parse(text));
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): OperationalError {
  return new OperationalError("worker-protocol", {
    forUser: "the recording of the program cannot be read",
    cause,
  });
}

type ToldCall = z.infer<typeof recording>[number];

/** The contents lie beside: those of the inputs, of the outputs, and of what was changed. */
async function withContents({ outputs, changed, ...call }: ToldCall, prefix: string): Promise<RecordedCall> {
  const written = call.inputs.filter(({ name }) => changed.includes(name));
  const drawn = Object.fromEntries(call.inputs.map((each) => [each.name, each.values]));
  const tensors: RecordedTensor[] = [];
  for (const each of [...call.inputs, ...outputs, ...written])
    tensors.push({ ...each, content: await readFile(`${prefix}-${tensors.length}.bin`) });
  const [first, second] = [call.inputs.length, call.inputs.length + outputs.length];
  return {
    ...call,
    values: drawn,
    inputs: tensors.slice(0, first),
    returned: tensors.slice(first, second),
    changed: tensors.slice(second),
  };
}
