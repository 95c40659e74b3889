/** `npm run format [-- --check]`: lays out all code by the formatters' rules, or tells what is not. */
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
`;

/** Inputs of tests and samples are as their authors wrote them; a formatter would move their lines. */
const LEFT_ALONE = [":!test/cases", ":!samples"];

main(async () => {
  const { values } = options(USAGE, { options: { check: { type: "boolean", default: false } } });
  const reporter = createReporter();
  await ensurePackages(reporter);
  const { ruff, clangFormat } = await ensureFormatters(reporter);
  const { check } = values;
  const codes = [
    await format("npx", ["oxfmt", ...(check ? ["--check"] : [])]),
    await format(ruff, ["format", ...(check ? ["--check"] : []), ...filesOf("*.py")]),
    await format(clangFormat, [...(check ? ["--dry-run", "-Werror"] : ["-i"]), ...filesOf("*.cpp", "*.hpp")]),
  ];
  if (codes.every((code) => code === 0)) return 0;
  if (check) reporter.say("npm run format lays out all of it");
  return 1;
});

/**
 * @param {string} command
 * @param {string[]} args
 */
function format(command, args) {
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
