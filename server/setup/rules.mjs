/**
 * `npm run rules [-- --only FILE --held --named --mutate --why --json]`: lets the rulebook alone work on the
 * kernels of `test/cases/unseen`, and tells how many planted inefficiencies it named and removed; with `--named`
 * only what it names of each kernel as it is, which takes seconds.
 */
import { runJudgingCommand } from "./steps/judging-command.mjs";
import { main } from "./support/main.mjs";

main(() => runJudgingCommand("unseen"));
