import * as z from "zod/mini";
import { isJsonObject } from "../../../core/base/json";
import { readShape } from "../../../core/base/shape";
import { defaultSettings, type Settings } from "../../../protocol/settings";

interface SentSettings {
  readonly settings: Settings;
  /** A sentence for each setting of the wrong form, which has its default instead. */
  readonly problems: readonly string[];
}

/**
 * The settings that a client sent, defaults for those that it left out. Editors send what stands in the
 * user's file, of whatever form it is.
 */
export function readSettings(sent: unknown): SentSettings {
  if (!isJsonObject(sent)) return { settings: defaultSettings, problems: [] };
  const taken: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, byDefault] of Object.entries(defaultSettings)) {
    if (!Object.hasOwn(sent, name)) continue;
    const read = readShape(z.object({ [name]: formOf(byDefault) }), { [name]: sent[name] });
    if (read.ok) taken[name] = sent[name];
    else problems.push(`kernelwright.${read.problem}; the default ${JSON.stringify(byDefault)} is used`);
  }
  return { settings: { ...defaultSettings, ...taken }, problems };
}

/** A setting has the form of its default. */
function formOf(byDefault: Settings[keyof Settings]): z.ZodMiniType {
  switch (typeof byDefault) {
    case "string":
      return z.string();
    case "number":
      return z.number();
    case "boolean":
      return z.boolean();
    default:
      return z.array(z.string());
  }
}
