import { known } from "../../../../../core/base/known";
import { baselineId, type CandidateRecord } from "../../../../../core/trajectory/state";
import type { Services } from "../../../../services/services";
import { candidateDetail } from "../../../views/convert-candidate";
import type { Handler } from "../../handler";
import { readSession } from "../session-record";

/** What the page of a candidate tells besides its record. */
export async function findingsOf(
  { sessions }: Pick<Services, "sessions">,
  sessionId: string,
  { id, origin }: CandidateRecord,
): Promise<Parameters<typeof candidateDetail>[1]> {
  return {
    verdict: await sessions.verdict(sessionId, id),
    baseline: await sessions.verdict(sessionId, baselineId),
    maker: sessions.makerOf(origin),
  };
}

/** What a candidate changes and what was found about it, whatever became of it. */
export const candidate: Handler<"kernelwright/candidate"> = async (
  context,
  { sessionId, candidate: id, against },
) => {
  const { services, folder, state } = await readSession(context, sessionId);
  const texts = await services.sessions.candidateTexts(sessionId, id, against);
  const record = known(
    state.candidates.find((each) => each.id === id),
    `candidate ${id}, whose texts were just read`,
  );
  return {
    hypothesis: record.hypothesis,
    files: texts.map((text) => ({ ...text, uri: context.workspaces.uriOf(folder, text.file) })),
    detail: candidateDetail(record, await findingsOf(services, sessionId, record), state.candidates),
  };
};
