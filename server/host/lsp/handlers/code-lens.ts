import type { CodeLens, Command } from "vscode-languageserver";
import type { KernelFacts } from "../../../core/language/facts";
import type { LensCommand } from "../../../protocol/commands";
import type { KernelParams, SessionParams } from "../../../protocol/requests";
import { type ServerContext, reviewKey } from "../context";
import { toRange } from "../views/convert";
import { factsOfKernel, factsTitle } from "../views/convert-facts";

/** A template may have many instances; a lens for each of the first is enough, the hover has them all. */
const mostInstances = 3;

/** The lenses over each kernel: what can be done, and what the last compile said. */
export function codeLens(context: ServerContext, uri: string): CodeLens[] {
  const document = context.documents.get(uri);
  if (document === undefined) return [];
  const kernels = document.findKernels();
  const compiled = kernels.length === 0 ? undefined : context.compiles.factsOf(document);
  return kernels.flatMap((kernel) => {
    const range = toRange({ start: kernel.nameRange.start, end: kernel.nameRange.start });
    const facts =
      compiled === undefined ? [] : factsOfKernel(compiled.facts, kernel.name).slice(0, mostInstances);
    const review = context.reviews.get(reviewKey(uri, kernel.name));
    return [
      ...(review === undefined || !context.client.ownClient
        ? []
        : [{ range, command: reviewCommand(review) }]),
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
          command: "",
        },
      })),
    ];
  });
}

function reviewCommand(sessionId: string): Command {
  const [command, argument]: [LensCommand, SessionParams] = ["kernelwright.reviewProposal", { sessionId }];
  return { title: "Review proposal", command, arguments: [argument] };
}

function actions(
  uri: string,
  kernel: KernelFacts,
  specUri: string | null | undefined,
): readonly (readonly [string, LensCommand, KernelParams])[] {
  const argument = { uri, kernel: kernel.name };
  return [
    ["Optimize", "kernelwright.optimize", argument],
    ["Check", "kernelwright.check", argument],
    ["Profile", "kernelwright.profile", argument],
    ...(specUri === null ? ([["Create kernel spec", "kernelwright.createSpec", argument]] as const) : []),
  ];
}
