/**
 * `npm run rules [-- --only FILE --held --mutate --json]`: lets the rulebook alone work on the kernels of
 * `test/cases/unseen`, and tells how many planted inefficiencies it named and removed.
 */
import { runJudgingCommand } from "./steps/judging-command.mjs";
import { main } from "./support/main.mjs";

main(() => runJudgingCommand("unseen"));
