import type { ContributedSetting } from "./manifest";

/** What the keys of settings' texts in package.nls.json begin with. */
const SETTING = "setting.";

/** Settings as package.json has them, with a key for each text, and the texts by these keys. */
interface KeyedSettings {
  readonly properties: Readonly<Record<string, ContributedSetting>>;
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * Puts the texts of settings behind keys (`%setting.NAME%`), which VS Code finds in `package.nls.json`, or in
 * that of the user's language.
 * @param settings by full name
 */
export function keySettings(settings: Readonly<Record<string, ContributedSetting>>): KeyedSettings {
  const texts: Record<string, string> = {};
  const keyFor = (key: string, text: string): string => {
    texts[key] = text;
    return `%${key}%`;
  };
  const properties = Object.entries(settings).map(([name, setting]) => {
    const key = `${SETTING}${name.replace(/^kernelwright\./, "")}`;
    const { markdownDescription, patternErrorMessage, markdownEnumDescriptions, enum: values } = setting;
    const keyed = {
      ...setting,
      markdownDescription: keyFor(key, markdownDescription),
      ...(patternErrorMessage !== undefined && {
        patternErrorMessage: keyFor(`${key}.pattern`, patternErrorMessage),
      }),
      ...(markdownEnumDescriptions !== undefined && {
        markdownEnumDescriptions: markdownEnumDescriptions.map((text, at) =>
          keyFor(`${key}.${values?.[at]}`, text),
        ),
      }),
    };
    return [name, keyed] as const;
  });
  return { properties: Object.fromEntries(properties), texts };
}

/**
 * package.nls.json anew: what is written there by hand, and behind it the texts of settings.
 * @param present the file's text, or "" where there is none
 */
export function manifestTexts(
  present: string,
  settings: Readonly<Record<string, ContributedSetting>>,
): string {
  const before = JSON.parse(present || "{}") as Record<string, string>;
  const byHand = Object.entries(before).filter(([key]) => !key.startsWith(SETTING));
  const texts = { ...Object.fromEntries(byHand), ...keySettings(settings).texts };
  return `${JSON.stringify(texts, null, 2)}\n`;
}
