import { homedir } from "node:os";
import { env, version as editorVersion, window, workspace } from "vscode";
import { fencedBlock } from "../../markdown";
import { readSettings } from "../../settings";
import type { Command, Parts } from "../command";

/**
 * Opens one page for a bug report: versions, settings, what was found on this machine and how sessions ended.
 * It holds no key and no code.
 */
export const collectDiagnostics: Command = {
  id: "kernelwright.collectDiagnostics",
  async run(parts) {
    const sections = [
      ["Versions", fencedBlock("text", versions(parts))],
      ["Settings", fencedBlock("json", JSON.stringify(shownSettings(), null, 2).split("\n"))],
      [
        "Sessions",
        fencedBlock(
          "text",
          parts.sessions
            .all()
            .slice(0, 20)
            .map(
              (session) =>
                `${session.started} ${session.status} ${session.target} ${session.strategy} candidates=${session.candidates.length} ${session.reason}`,
            ),
        ),
      ],
      ["Doctor", await doctorPage(parts)],
    ];
    const text = redact(
      ["# Kernelwright diagnostics", ...sections.flatMap(([title, body]) => [`## ${title}`, body])].join(
        "\n\n",
      ),
    );
    await window.showTextDocument(
      await workspace.openTextDocument({ language: "markdown", content: `${text}\n` }),
    );
  },
};

function versions(parts: Parts): readonly string[] {
  return [
    `kernelwright ${parts.version}`,
    `editor ${env.appName} ${editorVersion} (${env.appHost}${env.remoteName === undefined ? "" : `, ${env.remoteName}`})`,
    `node ${process.version} ${process.platform} ${process.arch}`,
    `server ${parts.connection.state}`,
    `trusted ${workspace.isTrusted}`,
  ];
}

/** An endpoint may carry credentials in its address or its query: only its host is told. */
function shownSettings(): Readonly<Record<string, unknown>> {
  const settings = readSettings();
  return { ...settings, "model.endpoint": hostOf(settings["model.endpoint"]) };
}

function hostOf(endpoint: string): string {
  if (endpoint === "") return "";
  return URL.canParse(endpoint) ? new URL(endpoint).host : "(not an address)";
}

async function doctorPage(parts: Parts): Promise<string> {
  if (!workspace.isTrusted) return "Not asked: the folder is not trusted.";
  return parts.connection.request("kernelwright/doctor", {}).then(
    ({ markdown }) => markdown,
    (error: unknown) => `Not available: ${String(error)}`,
  );
}

function redact(text: string): string {
  return text.replaceAll(homedir(), "~").replace(/\b(sk|key|token)[-_][A-Za-z0-9_-]{8,}/gi, "[redacted]");
}
