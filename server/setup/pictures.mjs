/** `npm run pictures`: the pictures of README and walkthrough, from the screenshots of the last run of the browser tests. */
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { inRepository } from "./support/layout.mjs";
import { main } from "./support/main.mjs";

main(async () => {
  /** @type {Record<string, string>} path of a picture → screenshot */
  const pictures = JSON.parse(readFileSync(inRepository("docs", "pictures", "pictures.json"), "utf8"));
  const copies = Object.entries(pictures).map(([picture, screenshot]) => ({
    from: inRepository("out", "screenshots", `${screenshot}.png`),
    to: inRepository(picture),
  }));
  const missing = copies.filter(({ from }) => !existsSync(from)).map(({ from }) => from);
  if (missing.length > 0) {
    process.stderr.write(
      `There is no ${missing.join(", no ")}. \`npm test -- --only browser\` takes the screenshots; run it first.\n`,
    );
    return 3;
  }
  for (const { from, to } of copies) {
    copyFileSync(from, to);
    process.stdout.write(`${to}\n`);
  }
  return 0;
});
