import { t } from "../base/localized";
import type { GpuState } from "./gpu-state";

/** What a run waits for that needs a GPU: another process of Kernelwright. */
export interface GpuWait {
  /** The process and its command; empty where the system does not tell. */
  readonly holder: string;
}

/** One line for whoever waits. */
export function describeWait({ holder }: GpuWait): string {
  return holder === ""
    ? t`waiting for the GPU, which another process of Kernelwright uses`
    : t`waiting for the GPU, which ${holder} uses`;
}

/** A program that has memory of a GPU. */
export interface GpuUser {
  readonly pid: string;
  /** Without its folder; what the driver says instead where it may not tell. */
  readonly program: string;
  /** Undefined where it is not told. */
  readonly mebibytes?: number;
}

/** What `nvidia-smi` is asked for `readGpuUsers`. */
export const usersQuery: readonly string[] = [
  "--query-compute-apps=gpu_uuid,pid,process_name,used_memory",
  "--format=csv,noheader,nounits",
];

/** The programs on one GPU, of an answer to `usersQuery`; lines that describe none are passed over. */
export function readGpuUsers(answer: string, uuid: string): readonly GpuUser[] {
  return answer.split(/\r?\n/).flatMap((line) => {
    // A name may have commas.
    const [, gpu, pid, name, memory] = /^\s*([^,]+),\s*(\d+),\s*(.*),\s*([^,]*?)\s*$/.exec(line) ?? [];
    if (gpu !== uuid || pid === undefined || name === undefined) return [];
    const mebibytes = Number(memory);
    const isTold = memory !== "" && Number.isFinite(mebibytes);
    // Of a program that begins or ends just now there is no name.
    const program = name === "[No data]" ? "a program" : name.replace(/^.*[/\\]/, "");
    return [{ pid, program, ...(isTold && { mebibytes }) }];
  });
}

/** Programs that are named; the others are counted. */
const mostNamed = 3;

/** One line: the GPU, who is on it, how warm it is and what holds it back. */
export function describeUse(
  { name, celsius, watts, limitWatts, heldBack }: GpuState,
  users: readonly GpuUser[],
): string {
  return [
    name,
    users.length === 0 ? "the driver shows no program on it" : `on it: ${describeUsers(users)}`,
    ...(celsius === undefined ? [] : [`${celsius} °C`]),
    ...(watts === undefined || limitWatts === undefined ? [] : [`${watts} of ${limitWatts} W`]),
    ...(heldBack.length === 0 ? [] : [`held back by ${heldBack.join(", ")}`]),
  ].join(" · ");
}

/** What a verdict says of others on the GPU: whoever has memory of it may run something at any time. */
export function usersRemarks(users: readonly GpuUser[]): readonly string[] {
  if (users.length === 0) return [];
  return [
    `Other programs were on the GPU when its calls began: ${describeUsers(users)}. What they run meanwhile counts in the times.`,
  ];
}

/** The first programs by name, and how many more there are. */
function describeUsers(users: readonly GpuUser[]): string {
  const named = users.slice(0, mostNamed).map(describeUser).join(", ");
  return users.length > mostNamed ? `${named} and ${users.length - mostNamed} more` : named;
}

function describeUser({ program, pid, mebibytes }: GpuUser): string {
  const memory = mebibytes === undefined ? "" : `, ${mebibytes} MiB`;
  return `${program} (process ${pid}${memory})`;
}
