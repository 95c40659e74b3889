import { describeProblem } from "../../server/setup/support/problem.mjs";
import { endGroups, endGroupsOnSignals } from "../../server/setup/support/processes.mjs";

/**
 * The whole of a command of this repository: the exit code is what `main` gives, 2 where it fails, and all
 * programs that it started end with it.
 */
export async function runAsCommand(main: () => Promise<number>): Promise<void> {
  endGroupsOnSignals();
  const code = await main().catch((error: unknown) => {
    process.stderr.write(`${describeProblem(error)}\n`);
    return 2;
  });
  await endGroups();
  process.exitCode = code;
}
