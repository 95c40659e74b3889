/**
 * `npm run manifest`: the files that derive from our data (settings, strategies, counters), and for translators
 * the texts that the editor shows.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { bundle } from "./steps/bundle.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { inRepository } from "./support/layout.mjs";
import { main } from "./support/main.mjs";
import { createReporter } from "./support/reporter.mjs";
import { TEXTS_FILE, writeTexts } from "./support/texts.mjs";

main(async () => {
  const reporter = createReporter();
  await ensurePackages(reporter);
  await bundle({ source: "server/host/derived/derived-files.ts", output: "out/derived-files.js" });
  /** @type {{ derivedFiles: { path: string, derive: (present: string) => string }[] }} */
  const { derivedFiles } = createRequire(import.meta.url)(inRepository("out", "derived-files.js"));
  for (const { path, derive } of derivedFiles) {
    const file = inRepository(path);
    const before = existsSync(file) ? readFileSync(file, "utf8") : "";
    const after = derive(before);
    if (after !== before) writeFileSync(file, after);
    reporter.say(after === before ? `${path} is up to date` : `${path} was written anew`);
  }
  writeTexts();
  reporter.say(`${TEXTS_FILE} was written anew`);
  return 0;
});
