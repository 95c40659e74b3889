/** `npm run manifest`: the files that derive from our data (settings, strategies, counters) and from the texts of the client. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { bundle } from "./steps/bundle.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { inRepository } from "./support/layout.mjs";
import { main } from "./support/main.mjs";
import { createReporter } from "./support/reporter.mjs";
import { TEXTS_FILE, textsOfClient } from "./support/texts.mjs";

main(async () => {
  const reporter = createReporter();
  await ensurePackages(reporter);
  await bundle({ source: "server/host/derived-files.ts", output: "out/derived-files.js" });
  /** @type {{ derivedFiles: { path: string, derive: (present: string) => string }[] }} */
  const { derivedFiles } = createRequire(import.meta.url)(inRepository("out", "derived-files.js"));
  for (const { path, derive } of derivedFiles) {
    const file = inRepository(path);
    const before = existsSync(file) ? readFileSync(file, "utf8") : "";
    const after = derive(before);
    if (after !== before) writeFileSync(file, after);
    reporter.say(after === before ? `${path} is up to date` : `${path} was written anew`);
  }
  const texts = textsOfClient();
  const before = existsSync(inRepository(TEXTS_FILE)) ? readFileSync(inRepository(TEXTS_FILE), "utf8") : "";
  mkdirSync(dirname(inRepository(TEXTS_FILE)), { recursive: true });
  if (texts !== before) writeFileSync(inRepository(TEXTS_FILE), texts);
  reporter.say(texts === before ? `${TEXTS_FILE} is up to date` : `${TEXTS_FILE} was written anew`);
  return 0;
});
