import { lintPage } from "../../core/lint/lint-docs";
import { counterPage } from "../../core/timing/counter-docs";
import { projectJsonSchema, specJsonSchema } from "../../core/workload/json-schemas";
import { deriveManifest } from "./manifest";
import { keySettings, manifestTexts } from "./manifest-texts";

/** A file of the repository with sections that derive from data of ours. */
interface DerivedFile {
  /** Relative to the repository. */
  readonly path: string;
  /** The file as it must be, from the text that it has now. */
  readonly derive: (present: string) => string;
}

/** `npm run manifest` writes these; a test finds them up to date. */
export const derivedFiles: readonly DerivedFile[] = [
  { path: "package.json", derive: withManifest },
  { path: "package.nls.json", derive: (present) => manifestTexts(present, deriveManifest().properties) },
  { path: "docs/counters.md", derive: counterPage },
  { path: "docs/lints.md", derive: lintPage },
  { path: "server/protocol/kernel-spec.schema.json", derive: specJsonSchema },
  { path: "server/protocol/project.schema.json", derive: projectJsonSchema },
];

interface PackageJson {
  readonly contributes: { configuration: { properties: unknown } };
  readonly capabilities: { untrustedWorkspaces: { restrictedConfigurations: unknown } };
}

function withManifest(present: string): string {
  const manifest = JSON.parse(present) as PackageJson;
  const { properties, restrictedConfigurations } = deriveManifest();
  manifest.contributes.configuration.properties = keySettings(properties).properties;
  manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = restrictedConfigurations;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
