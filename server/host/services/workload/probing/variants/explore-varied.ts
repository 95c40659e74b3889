import { exploreKernel } from "../explore-kernel";
import type { ProbeSession } from "../probe-session";
import type { ContentVariant } from "./content-variants";

export type Exploration = Awaited<ReturnType<typeof exploreKernel>>;

/** An exploration that there is, and what one with further contents has to be better in. */
interface Varied {
  readonly facts: Parameters<typeof exploreKernel>[1];
  readonly first: Exploration;
  readonly variants: readonly ContentVariant[];
  readonly isBetter: (again: Exploration) => boolean;
}

/** Explores a kernel with further contents, too. The session is as it was where that is no better. */
export async function exploreVaried(
  session: ProbeSession,
  { facts, first, variants, isBetter }: Varied,
  elements: Parameters<typeof exploreKernel>[2],
): Promise<Exploration> {
  const { planned, layout, variants: usual } = session;
  const contents = new Map(session.contents);
  session.variants = [...usual, ...variants];
  session.renew();
  const again = await exploreKernel(session, facts, elements);
  if (isBetter(again)) return again;
  session.variants = usual;
  session.arrange(planned, layout);
  session.contents.clear();
  for (const [name, content] of contents) session.contents.set(name, content);
  return first;
}
