import { show } from "../../handshake/user-language";
import { t } from "../../../../core/base/localized";
import { OperationalError } from "../../../../core/base/operational-error";
import { diffTexts, textOf } from "../../../../core/trajectory/export/content";
import { sectionsOf } from "../../../../core/trajectory/timeline/sections";
import type { StepSection } from "../../../../core/trajectory/timeline/step";
import { timelineOf } from "../../../../core/trajectory/timeline/timeline";
import { candidateDetail } from "../../views/convert-candidate";
import { toStepSection, toStepView } from "../../views/convert-step";
import type { Handler } from "../handler";
import { findingsOf } from "./candidates/candidate";
import { type PlacedSession, readSession } from "./session-record";

/** Everything that one event of a session holds, with its texts and the change of its candidate. */
export const step: Handler<"kernelwright/step"> = async (context, { sessionId, seq }) => {
  const session = await readSession(context, sessionId);
  const event = await session.logged.at(seq);
  if (event === undefined)
    throw new OperationalError("session-not-found", { forUser: `Session ${sessionId} has no event ${seq}.` });
  const [row] = show(() => timelineOf([event]));
  const candidate = session.state.candidates.find(({ id }) => id === row?.candidate);
  const sections = [
    ...(candidate === undefined ? [] : await aboutCandidate(session, sessionId, candidate.id)),
    ...show(() => sectionsOf(event)),
  ];
  return toStepView(event, row, {
    candidate: candidate?.id,
    sections: await Promise.all(sections.map((section) => inFull(session, section))),
  });
};

/** What a candidate changes against its parent, and what was found about it. */
async function aboutCandidate(
  { services, state }: PlacedSession,
  sessionId: string,
  id: string,
): Promise<readonly StepSection[]> {
  const texts = await services.sessions.candidateTexts(sessionId, id, "parent");
  const record = state.candidates.find((each) => each.id === id);
  const diff = texts.map(({ file, base, proposed }) => diffTexts(file, base, proposed)).join("");
  return [
    ...(diff === "" ? [] : [{ title: show(() => t`Change`), text: diff, language: "diff" } as const]),
    ...(record === undefined
      ? []
      : [
          {
            title: show(() => t`Verdict`),
            text: candidateDetail(record, await findingsOf(services, sessionId, record), state.candidates),
            language: "markdown",
          } as const,
        ]),
  ];
}

async function inFull(
  { services }: PlacedSession,
  section: StepSection,
): Promise<ReturnType<typeof toStepSection>> {
  return toStepSection(
    section,
    await textOf({ loadText: (stored) => services.sessions.text(stored) }, section.text),
  );
}
