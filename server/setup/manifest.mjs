/** `npm run manifest`: the sections of package.json that derive from settings, strategies and their like. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { bundle } from "./steps/bundle.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { inRepository } from "./support/layout.mjs";
import { main } from "./support/main.mjs";
import { createReporter } from "./support/reporter.mjs";

main(async () => {
  const reporter = createReporter();
  await ensurePackages(reporter);
  await bundle({ source: "server/host/manifest.ts", output: "out/manifest.js" });
  /** @type {{ deriveManifest: () => { properties: object, restrictedConfigurations: string[] } }} */
  const { deriveManifest } = createRequire(import.meta.url)(inRepository("out", "manifest.js"));
  const { properties, restrictedConfigurations } = deriveManifest();
  const file = inRepository("package.json");
  const before = readFileSync(file, "utf8");
  const manifest = JSON.parse(before);
  manifest.contributes.configuration.properties = properties;
  manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = restrictedConfigurations;
  const after = `${JSON.stringify(manifest, null, 2)}\n`;
  if (after !== before) writeFileSync(file, after);
  reporter.say(after === before ? "package.json is up to date" : "package.json was written anew");
  return 0;
});
