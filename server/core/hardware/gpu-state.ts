import { at } from "../base/known";
import fields from "./gpu-fields.json";
import { type Outcome, fail, succeed } from "../base/outcome";

/** What a GPU says of itself at one moment. Numbers that it does not tell are undefined, never 0. */
export interface GpuState {
  readonly index: number;
  readonly uuid: string;
  /** Its place on the bus: `00000000:17:00.0`. */
  readonly busId: string;
  readonly name: string;
  readonly driver: string;
  /** As compilers name it: `sm_90`. */
  readonly architecture: string;
  readonly smMegahertz?: number;
  readonly memoryMegahertz?: number;
  readonly celsius?: number;
  readonly watts?: number;
  readonly limitWatts?: number;
  /** Why its clock is below the highest one, in words; empty when nothing holds it back. */
  readonly heldBack: readonly string[];
}

/** What `nvidia-smi` is asked, in the order of the columns that `readGpuStates` reads. */
export const gpuQuery: readonly string[] = [
  `--query-gpu=${fields.columns.join()}`,
  "--format=csv,noheader,nounits",
];

/**
 * The GPUs of a `nvidia-smi` answer to `gpuQuery`. The problem is a sentence with the line that could not be
 * read.
 */
export function readGpuStates(answer: string): Outcome<readonly GpuState[], string> {
  const states: GpuState[] = [];
  for (const line of answer.split(/\r?\n/).filter((each) => each.trim() !== "")) {
    const cells = line.split(",").map((cell) => cell.trim());
    const state = cells.length === fields.columns.length ? stateOf(cells) : undefined;
    if (state === undefined) return fail(`nvidia-smi answered "${line.trim()}", which describes no GPU`);
    states.push(state);
  }
  return succeed(states);
}

function stateOf(cells: readonly string[]): GpuState | undefined {
  const cell = (name: string): string => cells[fields.columns.indexOf(name)] ?? "";
  const capability = /^(\d+)\.(\d+)$/.exec(cell("compute_cap"));
  if (capability === null || !/^\d+$/.test(cell("index"))) return undefined;
  return {
    index: Number(cell("index")),
    uuid: cell("uuid"),
    busId: cell("pci.bus_id"),
    name: cell("name"),
    driver: cell("driver_version"),
    architecture: `sm_${at(capability, 1)}${at(capability, 2)}`,
    ...told("smMegahertz", cell("clocks.sm")),
    ...told("memoryMegahertz", cell("clocks.mem")),
    ...told("celsius", cell("temperature.gpu")),
    ...told("watts", cell("power.draw")),
    ...told("limitWatts", cell("power.limit")),
    heldBack: reasonsOf(cell("clocks_throttle_reasons.active")),
  };
}

function told<Name extends string>(name: Name, text: string): Partial<Record<Name, number>> {
  const value = Number(text);
  return text === "" || !Number.isFinite(value) ? {} : ({ [name]: value } as Record<Name, number>);
}

/** A mask of bits such as 0x0000000000000004. An idle GPU is not held back. */
function reasonsOf(mask: string): readonly string[] {
  if (!/^0x[0-9a-f]+$/i.test(mask)) return [];
  const bits = BigInt(mask);
  return fields.reasons.filter(({ bit }) => (bits >> BigInt(bit)) & 1n).map(({ title }) => title);
}

/** One line: the name, the driver and the clocks. */
export function describeGpu({ name, driver, smMegahertz, memoryMegahertz, heldBack }: GpuState): string {
  const clocks = [
    ...(smMegahertz === undefined ? [] : [`SM clock ${smMegahertz} MHz`]),
    ...(memoryMegahertz === undefined ? [] : [`memory clock ${memoryMegahertz} MHz`]),
    ...(heldBack.length === 0 ? [] : [`held back by ${heldBack.join(", ")}`]),
  ];
  return [`${name}, driver ${driver}`, ...clocks].join(", ");
}
