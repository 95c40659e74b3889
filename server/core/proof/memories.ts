import type { Program } from "../vgpu/flatten/program";
import type { PtxModule } from "../vgpu/ptx/module";
import { constantForm } from "./decide/form";
import type { Symbols } from "./decide/symbols";
import type { Machine, Region } from "./follow/machine";
import { Prover } from "./follow/state";
import type { Surroundings } from "./launch-class";

/**
 * Questions to the decision procedure before a kernel is given up: at most a second or so, off the main
 * thread.
 */
const mostQuestions = 400;

/** What a kernel is looked at with: the memories that it finds, and who answers questions. */
export function machineOf({
  module,
  program,
  around,
  symbols,
}: {
  readonly module: PtxModule;
  readonly program: Program;
  readonly around: Surroundings;
  readonly symbols: Symbols;
}): Machine {
  const regions = new Map<string, Region>(around.regions);
  for (const { name, size, align, space } of module.variables.values())
    if (space === "global" || space === "const")
      regions.set(`variable ${name}`, {
        ...{ name, space: "global", alignment: align },
        bytes: constantForm(size),
      });
  const { sharedStarts, sharedEnd } = program;
  const sharedRegion = (offset: number): string =>
    `shared ${Math.max(0, ...sharedStarts.filter((start) => start <= offset))}`;
  for (const [index, start] of sharedStarts.entries())
    regions.set(`shared ${start}`, {
      ...{ name: "a shared array", space: "shared", alignment: 16 },
      bytes: constantForm(sharedStarts[index + 1] ?? sharedEnd),
    });
  const { parameters, specials } = around;
  return {
    ...{ program, symbols, regions, parameters, specials, sharedRegion },
    prover: new Prover(symbols, mostQuestions),
  };
}
