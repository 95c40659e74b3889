import { known } from "../../../core/base/known";
import type { JsonObject } from "../../../core/base/json";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { KernelCounters } from "../../../core/timing/counters";
import type { EntryProbeRequest } from "../../../core/ports/entry-probe";
import { usualSizeRows } from "../../../core/workload/probe/shapes/usual-sizes";
import type { SeenCall } from "../../../core/workload/capture/recorded-call";
import type { CandidatePool } from "../compile/candidate-pool";
import { replyObject } from "../compile/compiled-module";
import { deviceFacts, processEnded } from "../compile/triton-load";
import type { LaunchAccesses } from "../../../core/vgpu/index";
import type { LaunchResult, VirtualGpu } from "../gpu/virtual-gpu";
import { flagIn, textIn } from "../transport/read-json";
import type { Reply } from "../transport/connection";
import { type CapturedLaunch, readLaunch } from "../triton/captured-launch";

/**
 * A guard against what never ends; the search has a budget of its own, which a busy machine does not use
 * up.
 */
const probeSeconds = 300;
const launchSeconds = 90;

/** Calls host code with made-up tensors in a process of its own, and runs its launches on the virtual GPU. */
export async function probeEntry(
  parts: { readonly candidates: CandidatePool; readonly virtualGpu: VirtualGpu },
  request: EntryProbeRequest,
): Promise<Outcome<JsonObject, string>> {
  const { connection } = await parts.candidates.take();
  const { file, tree, kernel, pointers, parameters, recorded, stated, target, signal } = request;
  try {
    const reply = await connection.request(
      "probe",
      {
        files: { ...tree },
        call: `${file}::`,
        kernel,
        pointers: [...pointers],
        parameters: [...parameters],
        recorded: recorded === undefined ? null : plain(recorded),
        stated: { ...stated },
        usual: [...usualSizeRows],
        ...deviceFacts(target),
      },
      {
        signal,
        timeLimitMilliseconds: probeSeconds * 1000,
        onCall: async (_method, launch, frames) => {
          const captured = readLaunch(launch, frames);
          return answer(captured, await run(parts.virtualGpu, captured, signal));
        },
      },
    );
    const found = replyObject(reply);
    return flagIn(found, "found") ? succeed(found) : fail(textIn(found, "problem"));
  } catch (thrown) {
    const ended = processEnded(thrown, probeSeconds);
    return fail("reason" in ended ? ended.reason : `it took longer than ${probeSeconds} s to find out`);
  } finally {
    await connection.close();
  }
}

/** What the probe is told of a call that was recorded. */
function plain({ call, numbers, inputs }: SeenCall): JsonObject {
  return {
    call,
    numbers: { ...numbers },
    inputs: inputs.map(({ name, dtype, shape, values }) => ({
      name,
      dtype,
      shape: [...shape],
      values: { ...values },
    })),
  };
}

function run(gpu: VirtualGpu, launch: CapturedLaunch, signal: AbortSignal): Promise<LaunchResult> {
  return gpu.launch(
    {
      ptx: launch.ptx,
      entry: launch.name,
      grid: launch.grid,
      block: [launch.warps * 32, 1, 1],
      dynamicSharedBytes: launch.sharedBytes,
      counters: true,
      detectors: true,
      touched: launch.touched,
      triton: true,
      arguments: launch.arguments,
      buffers: launch.buffers.map(({ parameter, bytes, unwritten }) => ({
        name: parameter,
        bytes,
        readOnly: false,
        unwritten,
      })),
    },
    { signal, limitSeconds: launchSeconds },
  );
}

/** What the probe is told of a launch: contents that changed, or what ended it. */
function answer({ buffers, touched }: CapturedLaunch, result: LaunchResult): Reply {
  if (result.kind !== "done") return { result: { changed: [], fault: faultOf(result) }, frames: [] };
  const changed = buffers.flatMap(({ parameter, bytes }, position) => {
    const now = result.buffers[position];
    return now === undefined || Buffer.compare(bytes, now) === 0 ? [] : [{ position, parameter, now }];
  });
  return {
    result: {
      changed: changed.map(({ position }) => position),
      changedNames: changed.map(({ parameter }) => parameter),
      instructions: workOf(known(result.counters, "the counters of a probe").totals),
      findings: result.findings.map(({ kind, message }) => ({ kind, message })),
      ...(touched ? { read: readEnds(result.accesses) } : {}),
    },
    frames: changed.map(({ now }) => now),
  };
}

/** Where reads of each buffer end, in bytes, by its name. */
function readEnds(accesses: LaunchAccesses | undefined): JsonObject {
  const { allocations } = known(accesses, "what a probe touched");
  return Object.fromEntries(allocations.flatMap(({ name, read }) => (read ? [[name, read.to]] : [])));
}

/** Floating-point operations of a warp's multiply-add. */
const multiplyAddFlops = 64;

/** Warp-level instructions; one for tensor cores counts as the multiply-adds that it stands for. */
function workOf({ instructions, tensorFlops }: KernelCounters["totals"]): number {
  return instructions + Math.round(tensorFlops / multiplyAddFlops);
}

function faultOf(result: Exclude<LaunchResult, { kind: "done" }>): string {
  switch (result.kind) {
    case "refused":
      return result.reason;
    case "faulted":
      return (
        result.findings.map(({ file, line, message }) => `${file}:${line}: ${message}`)[0] ?? result.reason
      );
    case "timed-out":
      return `a launch took longer than ${result.limitSeconds} s`;
  }
}
