import { candidateName } from "../../words/names/names";
import { challengedLines, describeChallenged } from "../talk/challenged";
import type { SessionEvent } from "../events";
import { textOf } from "./content";
import type { ExportInput } from "./exporter";
import { type Role, titleOfRole } from "../talk/role";
import { roleFailure } from "../talk/role-failure";
import { fence, inline } from "./markdown-text";

/**
 * What was said, in order: messages, replies, calls and what the model was shown of their results. Empty
 * without a model.
 */
export async function conversationSection(input: ExportInput): Promise<string> {
  const turns: string[] = [];
  for (const event of input.events) turns.push(...(await turnOf(event, input)));
  return turns.length === 0 ? "" : `## Conversation\n\n${turns.join("\n\n")}`;
}

const nameOf = (role?: Role): string => (role === undefined ? "Model" : titleOfRole(role));

const toRole = (role?: Role): string => (role === undefined ? "" : ` of the ${role}`);

async function turnOf(event: SessionEvent, input: ExportInput): Promise<readonly string[]> {
  const shown = async (title: string, stored: Parameters<ExportInput["loadText"]>[0]): Promise<string> => {
    const text = await textOf(input, stored);
    return text === "" ? `**${title}** (no text)` : `**${title}**\n\n${fence(input.clean(text))}`;
  };
  const name = (text: string): string => inline(input.clean(text));
  switch (event.type) {
    case "message.system":
      return [await shown(`System${toRole(event.data.role)}`, event.data.text)];
    case "message.user":
      return [
        await shown(
          event.data.role === undefined ? "User" : `Task${toRole(event.data.role)}`,
          event.data.text,
        ),
      ];
    case "message.injected":
      return [await shown(`Added by the engine (${name(event.data.reason)})`, event.data.text)];
    case "llm.response":
      return [
        await shown(nameOf(event.data.role), event.data.text),
        ...(await Promise.all(
          event.data.tool_calls.map((call) => shown(`Model calls ${name(call.name)}`, call.raw_arguments)),
        )),
      ];
    case "llm.failed":
      return [
        `**${nameOf(event.data.role)} failed:** ${name(`${event.data.failure}: ${event.data.message}`)}`,
      ];
    case "role.failed":
      return [`(${name(roleFailure(event.data))})`];
    case "candidate.challenged": {
      const told = challengedLines(event.data).map((line) => `- ${name(line)}`);
      return [
        [
          `**${describeChallenged(event.data)}** against ${name(candidateName(event.data.candidate))}`,
          "",
          ...told,
        ].join("\n"),
      ];
    }
    case "tool.returned":
      return [await shown(`Result (${name(event.data.status)})`, event.data.shown)];
    case "unread":
      return event.data.fault === undefined ? [] : [`**Event ${event.seq}** cannot be read.`];
    default:
      return [];
  }
}
