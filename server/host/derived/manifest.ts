import {
  type FlagSetting,
  type ListSetting,
  type NumberSetting,
  settingTable,
  type TextSetting,
} from "../../protocol/settings";
import { catalogue, describeRoles } from "../services/catalogue";

/** The sections of package.json that derive from data of ours; `npm run manifest` writes them. */
interface DerivedManifest {
  /** `contributes.configuration.properties` */
  readonly properties: Readonly<Record<string, ContributedSetting>>;
  /** `capabilities.untrustedWorkspaces.restrictedConfigurations` */
  readonly restrictedConfigurations: readonly string[];
}

/** One setting in the words of VS Code's manifest. */
export interface ContributedSetting {
  readonly type: "string" | "number" | "integer" | "boolean" | "array";
  readonly default: string | number | boolean | readonly string[];
  readonly markdownDescription: string;
  readonly scope: string;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly minimum?: number;
  readonly items?: { readonly type: "string" };
  readonly enum?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

type AnySetting = TextSetting | NumberSetting | FlagSetting | ListSetting;

export function deriveManifest(): DerivedManifest {
  const settings = Object.entries<AnySetting>(settingTable).map(
    ([name, setting]) => [`kernelwright.${name}`, setting] as const,
  );
  return {
    properties: Object.fromEntries(settings.map(([name, setting]) => [name, contribute(setting)])),
    restrictedConfigurations: settings.filter(([, { scope }]) => scope !== "window").map(([name]) => name),
  };
}

function contribute(setting: AnySetting): ContributedSetting {
  const { default: value, scope, description: markdownDescription } = setting;
  if (isList(setting))
    return { type: "array", default: value, markdownDescription, scope, items: { type: "string" } };
  if (isFlag(setting)) return { type: "boolean", default: value, markdownDescription, scope };
  if (isNumber(setting))
    return {
      type: setting.whole === true ? "integer" : "number",
      default: value,
      markdownDescription,
      scope,
      minimum: setting.minimum,
    };
  const { pattern, patternErrorMessage, choices } = setting;
  return {
    type: "string",
    default: value,
    markdownDescription,
    scope,
    ...(pattern === undefined ? {} : { pattern }),
    ...(patternErrorMessage === undefined ? {} : { patternErrorMessage }),
    ...(choices === "strategies" && strategyValues()),
    ...(choices === "roles" && roleValues(markdownDescription)),
  };
}

function isList(setting: AnySetting): setting is ListSetting {
  return Array.isArray(setting.default);
}

function isFlag(setting: AnySetting): setting is FlagSetting {
  return typeof setting.default === "boolean";
}

function isNumber(setting: AnySetting): setting is NumberSetting {
  return typeof setting.default === "number";
}

function roleValues(
  description: string,
): Pick<ContributedSetting, "markdownDescription" | "pattern" | "patternErrorMessage"> {
  const ids = catalogue.roles.map(({ id }) => id);
  return {
    markdownDescription: `${description} ${describeRoles((text) => `\`${text}\``)}.`,
    pattern: `^\\s*((${ids.join("|")})=\\S+\\s*)*$`,
    patternErrorMessage: `Write ROLE=MODEL, parted by spaces, where ROLE is ${ids.join(", ")}.`,
  };
}

function strategyValues(): Pick<ContributedSetting, "enum" | "markdownEnumDescriptions"> {
  const { strategies } = catalogue;
  return {
    enum: strategies.map(({ id }) => id),
    markdownEnumDescriptions: strategies.map(({ description, needsModel }) =>
      needsModel ? `${description} Needs \`#kernelwright.model.endpoint#\` and a key.` : description,
    ),
  };
}
