import { show } from "../../../handshake/user-language";
import { retold } from "../../../../../core/base/localized";
import { at } from "../../../../../core/base/known";
import { withHunks } from "../../../../../core/review/with-hunks";
import type { CandidateRecord, SessionState } from "../../../../../core/trajectory/reduce";
import { baselineId } from "../../../../../core/trajectory/state";
import { candidateFigures } from "../../../views/convert-candidate";
import type { Handler } from "../../handler";
import { readSession } from "../session-record";

type Texts = Record<string, string>;

/**
 * The files of a session as they were before it and at each of its accepted steps, and as they are by the
 * user's own decisions.
 */
export const checkpoints: Handler<"kernelwright/checkpoints"> = async (context, { sessionId }) => {
  const { services, folder, state, logged } = await readSession(context, sessionId);
  const steps = stepsOf(state);
  const changed = await Promise.all(
    steps.map(({ id }) => services.sessions.candidateTexts(sessionId, id, "baseline")),
  );
  const baseline: Texts = {};
  for (const { file, base, isNew } of changed.flat()) if (isNew !== true) baseline[file] = base;
  const files = [...new Set(changed.flat().map(({ file }) => file))];
  const figureOf = candidateFigures(state.candidates);
  const hunks = state.proposal?.hunks ?? [];
  const accepted = new Set(hunks.filter(({ decision }) => decision === "accepted").map(({ id }) => id));
  return {
    files: files.map((file) => ({ file, uri: context.workspaces.uriOf(folder, file) })),
    checkpoints: [
      { id: baselineId, title: "", time: state.started, texts: baseline },
      ...(await Promise.all(
        steps.map(async (step, index) => {
          const figure = show(() => figureOf(step));
          const judged = step.judgedAt === undefined ? undefined : await logged.at(step.judgedAt);
          return {
            id: step.id,
            title: show(() => retold(step.hypothesis)),
            ...(figure === undefined ? {} : { figure }),
            time: judged?.ts ?? "",
            texts: textsOf(baseline, at(changed, index)),
          };
        }),
      )),
    ],
    decided: accepted.size === 0 ? null : withHunks(baseline, hunks, accepted),
  };
};

/** Versions that were better than all before, and the one that the user made the proposal. */
function stepsOf({ candidates, proposal }: SessionState): readonly CandidateRecord[] {
  return candidates.filter(
    ({ id, accepted }) => id !== baselineId && (accepted || id === proposal?.candidate),
  );
}

function textsOf(
  baseline: Texts,
  changed: readonly { readonly file: string; readonly proposed: string }[],
): Texts {
  return { ...baseline, ...Object.fromEntries(changed.map(({ file, proposed }) => [file, proposed])) };
}
