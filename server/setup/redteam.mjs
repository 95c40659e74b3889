/**
 * `npm run redteam [-- --only NAME --task TASK --write]`: shows the judge attacks on the verdict and honest
 * kernels (`test/cases/redteam`); `--write` puts the table into `docs/verdicts.md`.
 */
import { runJudgingCommand } from "./steps/judging-command.mjs";
import { main } from "./support/main.mjs";

main(() => runJudgingCommand("redteam"));
