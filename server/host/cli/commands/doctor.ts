import type { DoctorRow } from "../../services/services";
import type { CommandContext, ServiceOptions } from "../command-context";
import { exitCodes } from "../exit-codes";
import { formatTable, plain, printLine } from "../terminal";

/**
 * `doctor`: what is there, what each absence costs and the command that gets it. Nothing missing is an error:
 * the exit code is 0.
 */
export async function doctorCommand(
  context: CommandContext,
  options: ServiceOptions & { readonly json: boolean },
): Promise<number> {
  const services = await context.openServices(context.terminal.currentFolder, options);
  try {
    const rows = await services.doctor.examine(context.signal);
    if (options.json) {
      printLine(context.terminal, JSON.stringify({ pieces: rows }));
      return exitCodes.done;
    }
    for (const row of formatTable(rows.map((row) => [row.piece, row.state, row.detail])))
      printLine(context.terminal, plain(row));
    for (const row of rows.filter((row) => row.state !== "found")) {
      printLine(context.terminal);
      printLine(context.terminal, plain(`${row.piece}: ${row.cost}`));
      if (row.remedy !== "") printLine(context.terminal, plain(`  ${row.remedy}`));
      for (const line of lackingLines(row)) printLine(context.terminal, plain(line));
    }
    return exitCodes.done;
  } finally {
    await services.dispose();
  }
}

/** What each missing wall leaves open, and what brings it about. */
function lackingLines({ protections = [] }: DoctorRow): readonly string[] {
  const lacking = protections.filter(({ isActive }) => !isActive);
  return lacking.map(({ title, against, mend }) => `  Missing: ${title}. With it: ${against} ${mend}`);
}
