/**
 * `npm run format [-- --check]`: lays out all code by the formatters' rules, or tells what is not, and checks that
 * the worker's Python keeps the rules of ruff.toml.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { ensureFormatters } from "./steps/formatters.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { inRepository } from "./support/layout.mjs";
import { main, options } from "./support/main.mjs";
import { PlainFailure } from "./support/problem.mjs";
import { runVisibly } from "./support/processes.mjs";
import { createReporter } from "./support/reporter.mjs";

const USAGE = `npm run format [-- --check]
  Formats TypeScript, Python and C++; with --check changes nothing and fails where something would change.
  Fails too where Python of the worker breaks a rule of ruff.toml, such as a function without a result type.
`;

/** Inputs of tests and samples are as their authors wrote them; a formatter would move their lines. */
const LEFT_ALONE = [":!test/cases", ":!samples"];

const WORKER = "server/worker";

main(async () => {
  const { values } = options(USAGE, { options: { check: { type: "boolean", default: false } } });
  const reporter = createReporter();
  await ensurePackages(reporter);
  const { ruff, clangFormat } = await ensureFormatters(reporter);
  const { check } = values;
  const codes = [
    await inRoot("npx", ["oxfmt", ...(check ? ["--check"] : [])]),
    await inRoot(ruff, ["format", ...(check ? ["--check"] : []), ...filesOf("*.py")]),
    await inRoot(clangFormat, [...(check ? ["--dry-run", "-Werror"] : ["-i"]), ...filesOf("*.cpp", "*.hpp")]),
  ];
  const laidOut = codes.every((code) => code === 0);
  if (!laidOut && check) reporter.say("npm run format lays out all of it");
  const keepsRules = (await inRoot(ruff, ["check", "--quiet", WORKER])) === 0;
  if (!keepsRules) reporter.say(`correct these by hand, then look again with: ${ruff} check ${WORKER}`);
  return laidOut && keepsRules ? 0 : 1;
});

/**
 * @param {string} command
 * @param {string[]} args
 */
function inRoot(command, args) {
  return runVisibly(command, args, { cwd: inRepository() });
}

/**
 * Files of these endings that git tracks or would track.
 * @param {string[]} patterns
 */
function filesOf(...patterns) {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const listed = spawnSync("git", [...args, "--", ...patterns, ...LEFT_ALONE], {
    cwd: inRepository(),
    encoding: "utf8",
  });
  if (listed.status !== 0) throw new PlainFailure(`git cannot list the files of the clone: ${listed.stderr}`);
  return listed.stdout.split("\0").filter((path) => path !== "" && existsSync(inRepository(path)));
}
