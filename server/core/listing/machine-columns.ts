import type { ControlCode, KernelMachineCode, PlacedInstruction } from "../cubin/index";
import type { CodeRow } from "./row";

const scoreboards = [0, 1, 2, 3, 4, 5] as const;

/** What the columns mean; the reader of a listing has no manual at hand. */
const legend = [
  "// waits: scoreboards that have to be free before it issues",
  "// write, read: scoreboard that is released when the result is there, when the operands have been read",
  "// y: the scheduler's hint bit; stall: cycles until the warp's next instruction may issue",
  "// Operands are not decoded: the opcode, its guard, the width of an access and branches are.",
];
const columns = "// offset  waits   write read  y  stall  instruction";

/**
 * The machine code of a kernel for people: the compiler's schedule in columns, with names for the places that
 * branches go to.
 */
export function machineColumns({ instructions, architecture }: KernelMachineCode): readonly CodeRow[] {
  const labels = labelsOf(instructions);
  const size = `// ${instructions.length} instructions for sm_${architecture}`;
  return [
    ...[size, ...legend, columns].map((text) => ({ text, places: [] })),
    ...instructions.flatMap((instruction) => {
      const { offset, file, line } = instruction;
      const label = labels.get(offset);
      return [
        ...(label === undefined ? [] : [{ text: `${label}:`, places: [] }]),
        { text: rowOf(instruction, labels), places: [{ file, line }] },
      ];
    }),
  ];
}

/** A name for each place that a direct branch goes to, in the order of the code. */
function labelsOf(instructions: readonly PlacedInstruction[]): ReadonlyMap<number, string> {
  const targets = new Set(instructions.flatMap(({ target }) => (target === undefined ? [] : [target])));
  return new Map([...targets].sort((a, b) => a - b).map((offset, index) => [offset, `L${index + 1}`]));
}

function rowOf(instruction: PlacedInstruction, labels: ReadonlyMap<number, string>): string {
  const { offset, control } = instruction;
  return `   ${offset.toString(16).padStart(6, "0")}  ${scheduleOf(control)}  ${wordsOf(instruction, labels)}`;
}

function scheduleOf({ waits, written, read, yieldBit, stall }: ControlCode): string {
  const waited = scoreboards.map((board) => (waits.includes(board) ? String(board) : "-")).join("");
  return [
    waited.padEnd(8),
    (written === undefined ? "-" : String(written)).padEnd(6),
    (read === undefined ? "-" : String(read)).padEnd(6),
    String(yieldBit).padEnd(3),
    String(stall).padStart(5),
  ].join("");
}

/** `@!P0 LDG, 4 bytes a lane` or `BRA L2, on a condition`. */
function wordsOf(instruction: PlacedInstruction, labels: ReadonlyMap<number, string>): string {
  const { operation, predicate, width, target, conditional, atMost } = instruction;
  const guard =
    predicate.register === 7 && !predicate.negated
      ? ""
      : `@${predicate.negated ? "!" : ""}${predicate.register === 7 ? "PT" : `P${predicate.register}`} `;
  const goes = target === undefined ? "" : ` ${labels.get(target) ?? ""}`;
  const more = [
    ...(width > 0 ? [`${width} ${width === 1 ? "byte" : "bytes"} a lane`] : []),
    ...(conditional === true ? ["on a condition"] : []),
    ...(atMost === undefined ? [] : [`scoreboard ${atMost.scoreboard} at most ${atMost.count}`]),
  ];
  return [`${guard}${operation.name}${goes}`, ...more].join(", ");
}
