/**
 * `npm run redteam [-- --only NAME --task TASK --write --kept FILE]`: shows the judge attacks on the verdict
 * and honest kernels (`test/cases/redteam`); `--write` puts the table into `docs/verdicts.md`. `--kept FILE`
 * adds what is played to what the file holds, so that a whole table can be played in pieces.
 */
import { runJudgingCommand } from "./steps/judging-command.mjs";
import { main } from "./support/main.mjs";

main(() => runJudgingCommand("redteam"));
