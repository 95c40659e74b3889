/**
 * `npm run corpus [-- --kind KIND --only ID --quick --mutate --words --json]`: checks the kernels of
 * `test/cases/workloads` as a stranger would, and holds the verdicts against the index.
 */
import { runJudgingCommand } from "./steps/judging-command.mjs";
import { main } from "./support/main.mjs";

main(() => runJudgingCommand("corpus"));
