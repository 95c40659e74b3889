import { shown } from "../handshake/user-language";
import { retold, t } from "../../../core/base/localized";
import type { CodeLens, Command } from "vscode-languageserver";
import type { KernelFacts } from "../../../core/language/facts";
import type { LensCommand } from "../../../protocol/commands";
import type { KernelParams, SessionParams } from "../../../protocol/requests";
import { type Offer, type ServerContext, reviewKey } from "../context";
import { toRange } from "../views/convert";
import { factsOfKernel, factsTitle } from "../views/facts/compiled-facts";
import { programLenses } from "./programs/lenses";
import { specLenses } from "./spec-file/lenses";
import { specDocument } from "./spec-file/spec-document";

/** A template may have many instances; a lens for each of the first is enough, the hover has them all. */
const mostInstances = 3;

/** The lenses over each kernel, what can be done and what the last compile said; and over a program. */
export const codeLens = shown((context: ServerContext, uri: string): CodeLens[] => {
  const document = context.documents.get(uri);
  if (document === undefined || !context.client.settings.lenses) return [];
  const spec = specDocument(document);
  if (spec !== undefined) return specLenses(spec);
  const kernels = document.findKernels();
  const compiled = kernels.length === 0 ? undefined : context.compiles.factsOf(document);
  const ofKernels = kernels.flatMap((kernel) => {
    const range = toRange({ start: kernel.nameRange.start, end: kernel.nameRange.start });
    const facts =
      compiled === undefined ? [] : factsOfKernel(compiled.facts, kernel.name).slice(0, mostInstances);
    const review = context.reviews.get(reviewKey(uri, kernel.name));
    return [
      ...(review === undefined || review.isShown === true || !context.client.ownClient
        ? []
        : [{ range, command: offerCommand(review) }]),
      ...actions(uri, kernel, context.specs.find(uri, kernel.name)).map(
        ([text, command, argument]): CodeLens => ({
          range,
          command: { title: text, command, arguments: [argument] },
        }),
      ),
      ...facts.map((instance): CodeLens => ({
        range,
        command: {
          title: factsTitle(instance, compiled?.launches.get(kernel.name), compiled?.stale === true),
          ...codeOf(context, { uri, kernel: kernel.name }),
        },
      })),
    ];
  });
  const embedded = document.embeddedKernels().flatMap(({ name, nameRange: { start } }) =>
    embeddedActions.map(([title, command]): CodeLens => ({
      range: toRange({ start, end: start }),
      command: { title: retold(title), command, arguments: [{ uri, kernel: name }] },
    })),
  );
  return [...ofKernels, ...embedded, ...programLenses(document, kernels, context.client.ownClient)];
});

/** What can be done about a kernel in a text of Python. */
const embeddedActions: readonly (readonly [string, LensCommand])[] = [
  ["Check", "kernelwright.check"],
  ["Profile", "kernelwright.profile"],
];

/** What the compiler said leads to the code that it is about, in the editor that has our views. */
function codeOf(context: ServerContext, kernel: KernelParams): Omit<Command, "title"> {
  const command: LensCommand = "kernelwright.showMachineCode";
  return context.client.ownClient ? { command, arguments: [kernel] } : { command: "" };
}

function offerCommand({ sessionId, figure }: Offer): Command {
  const argument: SessionParams = { sessionId };
  const [title, command]: [string, LensCommand] =
    figure === undefined
      ? [t`Review proposal`, "kernelwright.reviewProposal"]
      : [t`Stop and review: ${figure}`, "kernelwright.takeBest"];
  return { title, command, arguments: [argument] };
}

function actions(
  uri: string,
  kernel: KernelFacts,
  specUri: string | null | undefined,
): readonly (readonly [string, LensCommand, KernelParams])[] {
  const argument = { uri, kernel: kernel.name };
  return [
    [t`Optimize`, "kernelwright.optimize", argument],
    [t`Check`, "kernelwright.check", argument],
    [t`Profile`, "kernelwright.profile", argument],
    ...(specUri === undefined
      ? []
      : ([[specUri === null ? t`Set up` : t`Kernel spec`, "kernelwright.createSpec", argument]] as const)),
  ];
}
