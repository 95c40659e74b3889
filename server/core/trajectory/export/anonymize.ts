import type { Redactor } from "../redact";
import places from "./private-places.json";

/** Names of this machine that must not leave it. All are optional: what is not known cannot be recognized. */
interface PrivateNames {
  readonly workspaceFolder?: string;
  readonly homeFolder?: string;
  readonly userName?: string;
  readonly hostName?: string;
}

const shortestName = 3;

/**
 * Folders of a path as they may stand in a text; a segment ends at blanks, quotes, brackets and what Windows
 * forbids in names.
 */
const segment = String.raw`[^\s/\\"'\x60<>|:*?()\[\]{},;]+`;
const posixPath = new RegExp(
  String.raw`(?<![\w.~<>/-])/(?:${places.roots.join("|")})(?:/${segment})+/?`,
  "g",
);
const windowsPath = new RegExp(
  String.raw`(?<![\w])[A-Za-z]:[\\/]{1,2}(?:${segment}[\\/]{1,2})*${segment}`,
  "g",
);

/**
 * Makes the function that every text of an export goes through: secrets are replaced once more, paths below
 * the workspace become `<workspace>/…`, other absolute paths `<path>/NAME`, and the user's and the machine's
 * name `<user>` and `<machine>`.
 */
export function makeCleaner(redactor: Redactor, names: PrivateNames): (text: string) => string {
  const workspace = trimSlash(names.workspaceFolder);
  const words: [RegExp, string][] = [];
  if (isTelling(names.userName)) words.push([wholeWord(names.userName), "<user>"]);
  if (isTelling(names.hostName)) words.push([wholeWord(names.hostName), "<machine>"]);
  const home = trimSlash(names.homeFolder);
  return (text) => {
    let result = redactor.redact(text);
    if (workspace) result = replaceFolder(result, workspace, "<workspace>");
    if (home) result = replaceFolder(result, home, "<home>");
    // Below the home folder only the last name is kept, as for every other path.
    result = result
      .replace(new RegExp(`<home>(?:/${segment})+`, "g"), shorten)
      .replaceAll("<home>", "<path>");
    result = result.replace(posixPath, shorten).replace(windowsPath, shorten);
    for (const [expression, placeholder] of words) result = result.replace(expression, placeholder);
    return result;
  };
}

function shorten(path: string): string {
  const last = path
    .split(/[\\/]+/)
    .filter(Boolean)
    .at(-1);
  return last === undefined ? "<path>" : `<path>/${last}`;
}

function trimSlash(folder: string | undefined): string {
  return folder === undefined || folder.length < 2 ? "" : folder.replace(/[\\/]+$/, "");
}

/** A folder is replaced where its name ends there: `/work` in `/workshop` is another folder. */
function replaceFolder(text: string, folder: string, placeholder: string): string {
  return text.replace(new RegExp(`(?<![\\w.-])${escape(folder)}(?![\\w-])`, "g"), placeholder);
}

function isTelling(name: string | undefined): name is string {
  return (
    name !== undefined && name.length >= shortestName && !places.commonNames.includes(name.toLowerCase())
  );
}

function wholeWord(name: string): RegExp {
  return new RegExp(`(?<![\\w])${escape(name)}(?![\\w])`, "g");
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
