import type { CudaLaunchFacts } from "../../../../../core/language/cuda/launch/launch-facts";
import { exploreKernel } from "../explore-kernel";
import type { ProbeSession } from "../probe-session";
import { apartContents } from "./apart-contents";
import { askedParameter, type AskedRanges, askedRanges, contentVariants } from "./content-variants";
import { exploreFarther } from "./explore-farther";
import { exploreStill } from "./explore-still";
import { exploreUntouched } from "./explore-untouched";
import { type Exploration, exploreVaried } from "./explore-varied";
import { withoutComments } from "../../../../../core/language/cuda/kernel-text";

/** What an exploration came to, and what buffers have to hold for it. */
interface WritingExploration {
  readonly seen: Exploration;
  readonly ranges: AskedRanges;
}

/** Buffers that a kernel waits at which begin at 0, at most. */
const mostLatches = 3;
/** What a deadlock says that nobody will write any more. */
const waitedAt = /waits at "(\w+)"/;

/**
 * Explores a kernel; where it waits for what nobody will write, again with zeros there: turns, flags and
 * tickets begin at 0. Where it writes nothing, again with the values that its text compares elements with,
 * and then with several values in turn.
 */
export async function exploreWriting(
  session: ProbeSession,
  facts: Parameters<typeof exploreKernel>[1] &
    Pick<CudaLaunchFacts, "compared" | "asked" | "ends" | "counts" | "flags">,
  elements: Parameters<typeof exploreKernel>[2],
): Promise<WritingExploration> {
  const before = { planned: session.planned, layout: session.layout };
  const seen = await exploreFromZero(session, facts, elements);
  const first = isWriting(seen)
    ? await exploreStill(session, { facts, first: seen, before }, elements)
    : seen;
  const plain = (seen: Exploration): WritingExploration => ({ seen, ranges: new Map() });
  if (isWriting(first)) {
    const apart = await exploreApart(session, { facts, first }, elements);
    const touching = await exploreUntouched(session, { facts, first: apart }, elements);
    return plain(await exploreFarther(session, { facts, first: touching }, elements));
  }
  if (facts.compared.size > 0) {
    for (const [name, value] of facts.compared) session.held.set(name, value);
    session.renew();
    const again = await exploreKernel(session, facts, elements);
    if (isWriting(again)) return plain(again);
    session.held.clear();
  }
  if (!first.ok) return plain(first);
  const { planned, layout } = session;
  for (const name of parametersIn(facts)) session.fix(name, askedParameter);
  session.variants = contentVariants(session.planned, facts);
  session.renew();
  const varied = await exploreKernel(session, facts, elements);
  if (isWriting(varied)) return { seen: varied, ranges: askedRanges(facts.asked) };
  session.variants = [new Map()];
  session.arrange(planned, layout);
  return plain(first);
}

/** Explores a kernel with zeros in the buffers that it waits at. */
async function exploreFromZero(
  session: ProbeSession,
  facts: Parameters<typeof exploreKernel>[1],
  elements: Parameters<typeof exploreKernel>[2],
): Promise<Exploration> {
  const first = await explorePatiently(session, facts, elements);
  let seen = first;
  for (let latches = 0; latches < mostLatches && !seen.ok; latches += 1) {
    const name = waitedAt.exec(seen.problem)?.[1];
    const isOwn = session.planned.some((each) => each.kind === "buffer" && each.name === name);
    if (name === undefined || !isOwn || session.held.has(name)) break;
    session.held.set(name, 0);
    session.renew();
    seen = await exploreKernel(session, facts, elements);
  }
  if (seen.ok) return seen;
  session.held.clear();
  return first;
}

/**
 * Where nothing depends on a size, the exploration with another number in each buffer: what is looked for
 * among equal numbers is found at once. The first one where that tells no more.
 */
async function exploreApart(
  session: ProbeSession,
  { facts, first }: { readonly facts: Parameters<typeof exploreKernel>[1]; readonly first: Exploration },
  elements: Parameters<typeof exploreKernel>[2],
): Promise<Exploration> {
  const idle = idleSizes(session, first);
  const apart = idle === 0 ? undefined : apartContents(session.planned);
  if (apart === undefined) return first;
  const isBetter = (again: Exploration): boolean => isWriting(again) && idleSizes(session, again) < idle;
  return exploreVaried(session, { facts, first, variants: [apart], isBetter }, elements);
}

/** How many sizes nothing depends on. */
function idleSizes({ planned }: ProbeSession, seen: Exploration): number {
  if (!seen.ok) return 0;
  const { grid, buffers } = seen.value.launch;
  const text = [...grid, ...buffers.map(({ extent }) => extent ?? "")].join(" ");
  return planned.filter((each) => each.kind === "size" && !new RegExp(`\\b${each.name}\\b`).test(text))
    .length;
}

/** Explores a kernel, and once more with more time where no launch gave anything. */
async function explorePatiently(
  session: ProbeSession,
  facts: Parameters<typeof exploreKernel>[1],
  elements: Parameters<typeof exploreKernel>[2],
): Promise<Exploration> {
  const first = await exploreKernel(session, facts, elements);
  if (first.ok) return first;
  session.renew(true);
  const again = await exploreKernel(session, facts, elements);
  return again.ok ? again : first;
}

/** Parameters that elements are compared with. */
function parametersIn({ asked }: Pick<CudaLaunchFacts, "asked">): readonly string[] {
  return [...new Set([...asked.values()].flat().flatMap(({ of }) => (typeof of === "string" ? of : [])))];
}

/** Whether a kernel was seen to write. */
export function isWriting(seen: Exploration): boolean {
  return seen.ok && seen.value.launch.buffers.some(({ isWritten }) => isWritten);
}

/** Why a kernel that was seen to write nothing cannot be checked; `text`: its source. */
export function noOutput(kernel: string, text: string): string {
  const plain = `${kernel} wrote through none of its parameters when it was launched: there is no output to check`;
  if (!/\bprintf\s*\(/.test(withoutComments(text))) return plain;
  return `${plain} (what a kernel prints is not compared: kernelwright run PROGRAM shows it; store what counts to have it checked)`;
}
