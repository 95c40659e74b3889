/** `npm run package`: the extension as one file that VS Code installs. */
import { readFileSync, statSync } from "node:fs";
import { ensurePackages } from "./steps/packages.mjs";
import { inRepository } from "./support/layout.mjs";
import { main } from "./support/main.mjs";
import { run } from "./support/processes.mjs";
import { createReporter } from "./support/reporter.mjs";

/** A packaged extension beyond this is a mistake in .vscodeignore, in bytes. */
const LIMIT = 5 * 1024 * 1024;

main(async () => {
  const reporter = createReporter();
  await ensurePackages(reporter);
  const { name, version } = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
  const file = `${name}-${version}.vsix`;
  // Packaging runs the script vscode:prepublish of package.json, which builds.
  await reporter.step("package", (heard) =>
    run("npx", ["vsce", "package", "--no-dependencies", "--out", file], { cwd: inRepository(), heard }),
  );
  const { size } = statSync(inRepository(file));
  process.stdout.write(`${inRepository(file)}  ${(size / 1024 / 1024).toFixed(2)} MB\n`);
  if (size <= LIMIT) return 0;
  process.stderr.write(
    `${file} is larger than ${LIMIT / 1024 / 1024} MB: see what it holds with \`npx vsce ls\` and mend .vscodeignore\n`,
  );
  return 1;
});
