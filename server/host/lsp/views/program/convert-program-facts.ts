import { shown } from "../../handshake/user-language";
import { gpuOfTarget } from "../../../../core/timing/gpu-model";
import type { KernelFacts } from "../../../../core/language/facts";
import { formatTarget, type Target } from "../../../../core/timing/target";
import type { KernelProfile } from "../../../../core/words/profile";
import type { FactsView, LineFactsView } from "../../../../protocol/views";
import { toFactsView } from "../convert-facts";

/** A file as it was counted. */
interface CountedText {
  readonly uri: string;
  /** As the counters name it. */
  readonly file: string;
  readonly text: string;
  readonly target: Target;
  /** Kernels of the text; none where they are not known. */
  readonly named: readonly KernelFacts[];
}

/** What kernels of a program cost in one file; undefined for no kernel. */
export const programFacts = shown(
  (
    kernels: readonly KernelProfile[],
    { uri, file, text, target, named }: CountedText,
  ): FactsView | undefined => {
    const views = kernels.map((profile) => {
      const kernel = nameOf(profile.kernel);
      const line = named.find(({ name }) => name === kernel)?.nameRange.start.line;
      return toFactsView({
        ...{ uri, file, text, kernel, counters: profile.counters, facts: profile.facts, sizes: {} },
        whole: {
          profile,
          gpu: gpuOfTarget(target),
          line: line === undefined ? undefined : line + 1,
        },
        target: formatTarget(target),
      });
    });
    const [first] = views;
    return first && { ...first, lines: mergedLines(views) };
  },
);

/** `nn::scale<float>` is written `scale` where it is defined. */
function nameOf(kernel: string): string {
  return kernel.replace(/<.*$/s, "").replace(/^.*::/s, "");
}

/** A line that several kernels run is shown as of the kernel in which it costs most. */
function mergedLines(views: readonly FactsView[]): readonly LineFactsView[] {
  const lines = new Map<number, LineFactsView>();
  for (const each of views.flatMap((view) => view.lines)) {
    const known = lines.get(each.line);
    if (known === undefined || known.share < each.share) lines.set(each.line, each);
  }
  return [...lines.values()].sort((a, b) => a.line - b.line);
}
