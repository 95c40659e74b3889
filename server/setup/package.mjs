/** `npm run package`: the extension as one file that VS Code installs. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ensurePackages } from "./steps/packages.mjs";
import { inRepository } from "./support/layout.mjs";
import { main } from "./support/main.mjs";
import { run } from "./support/processes.mjs";
import { createReporter } from "./support/reporter.mjs";
import { writeTexts } from "./support/texts.mjs";

/** A packaged extension beyond this is a mistake in .vscodeignore, in bytes. */
const LIMIT = 5 * 1024 * 1024;

/** The page of the extension, which the package holds under the usual name. */
const README = "out/package/README.md";

main(async () => {
  const reporter = createReporter();
  await ensurePackages(reporter);
  const { name, version } = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
  const file = `${name}-${version}.vsix`;
  mkdirSync(inRepository(dirname(README)), { recursive: true });
  writeFileSync(inRepository(README), withoutPictures(readFileSync(inRepository("README.md"), "utf8")));
  writeTexts();
  // Packaging runs the script vscode:prepublish of package.json, which builds.
  await reporter.step("package", (heard) =>
    run("npx", ["vsce", "package", "--no-dependencies", "--readme-path", README, "--out", file], {
      cwd: inRepository(),
      heard,
    }),
  );
  const { size } = statSync(inRepository(file));
  process.stdout.write(`${inRepository(file)}  ${(size / 1024 / 1024).toFixed(2)} MB\n`);
  if (size <= LIMIT) return 0;
  process.stderr.write(
    `${file} is larger than ${LIMIT / 1024 / 1024} MB: see what it holds with \`npx vsce ls\` and mend .vscodeignore\n`,
  );
  return 1;
});

/**
 * The README as the extension's page shows it: VS Code loads no picture from the package.
 * @param {string} text
 */
function withoutPictures(text) {
  return text.replace(/^!\[[^\]]*\]\([^)]*\)\n\n?/gm, "");
}
