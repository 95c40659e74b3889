/** `npm run build`: dist/ from the sources. */
import { ensureBundles } from "./steps/bundle.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { main } from "./support/main.mjs";
import { createReporter } from "./support/reporter.mjs";

main(async () => {
  const reporter = createReporter();
  await ensurePackages(reporter);
  await ensureBundles(reporter);
  reporter.say("dist/ is up to date");
  return 0;
});
