import { randomBytes } from "node:crypto";
import { env, l10n, Uri, type Webview } from "vscode";
import { textsId } from "../../webview/common/localized";

/**
 * The document of a page: one script and one style sheet of ours, and nothing else may load or run. What it
 * shows comes by messages and becomes text nodes.
 */
export function pageHtml(webview: Webview, extension: Uri, name: string): string {
  const nonce = randomBytes(16).toString("base64");
  const address = (file: string): string =>
    webview.asWebviewUri(Uri.joinPath(extension, "dist", file)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${address(`${name}.css`)}">
<title>${name}</title>
</head>
<body>
<script type="application/json" id="${textsId}">${dataOf(l10n.bundle ?? {})}</script>
<script nonce="${nonce}" src="${address(`${name}.js`)}"></script>
</body>
</html>`;
}

/** Data inside a page's markup, which no text of it can end. */
function dataOf(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
