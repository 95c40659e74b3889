import * as z from "zod/mini";
import { invariant } from "../../base/assert";
import { objectOf } from "../../base/shape";
import type {
  BuildOrigin,
  BuildSettings,
  CompilerFlag,
  Define,
  DeviceBody,
  IncludeFolder,
  KernelInstance,
  LanguageStandard,
} from "../build-settings";

const sourced = {
  origin: z.enum<Record<BuildOrigin, BuildOrigin>>({
    user: "user",
    recorded: "recorded",
    inferred: "inferred",
  }),
  where: z.string(),
};
const shape = objectOf<BuildSettings>()({
  includeFolders: z.array(objectOf<IncludeFolder>()({ folder: z.string(), ...sourced })),
  defines: z.array(
    objectOf<Define>()({
      name: z.string(),
      value: z.optional(z.union([z.string(), z.literal(false)])),
      ...sourced,
    }),
  ),
  standard: z.optional(objectOf<LanguageStandard>()({ value: z.string(), ...sourced })),
  flags: z.array(objectOf<CompilerFlag>()({ word: z.string(), ...sourced })),
  instances: z.array(objectOf<KernelInstance>()({ text: z.string(), ...sourced })),
  bodies: z.optional(z.array(objectOf<DeviceBody>()({ file: z.string(), of: z.string(), ...sourced }))),
  notes: z.array(z.string()),
});

/** Build settings as the log of a session keeps them. */
export function writeBuildSettings(settings: BuildSettings): string {
  return JSON.stringify(settings);
}

/** Reads what `writeBuildSettings` wrote: the log has proved by its digests that the text is the same. */
export function readBuildSettings(text: string): BuildSettings {
  const read = shape.safeParse(JSON.parse(text));
  invariant(read.success, "recorded build settings can be read back");
  return read.data;
}
