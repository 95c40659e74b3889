import type { CudaLaunchFacts } from "../../../../../core/language/cuda/launch/launch-facts";
import type { TiedSizes } from "../../../../../core/workload/probe/settings";
import { relationsBetween } from "../../../../../core/workload/probe/shapes/size-relations";
import type { ArgumentPlan } from "../arguments/plan-arguments";
import { withoutFittingNumbers } from "../arguments/fitting-numbers";
import { launchedSizes, tiedSizes } from "../arguments/tied-sizes";
import { withToldValues } from "../arguments/told-values";
import { goodFit } from "../find-grid";
import type { ProbeSession } from "../probe-session";
import { freeNames } from "../said-grid";
import { exploreCounted, isWriting, noOutput } from "./explore-counted";

export { isWriting, noOutput };

type Exploration = Awaited<ReturnType<typeof exploreCounted>>;
type Facts = Parameters<typeof exploreCounted>[1] & CudaLaunchFacts;
type ExploredTied = Exploration & Pick<CudaLaunchFacts, "lesser">;
type Plain = Pick<ArgumentPlan, "planned" | "layout"> & Pick<CudaLaunchFacts, "lesser">;

interface Asked {
  readonly plain: Plain;
  readonly facts: Facts;
  readonly source: string;
  /** What the text says of sizes. */
  readonly words: NonNullable<Facts["text"]>;
}

/** `launched`: constants that the launch of the text passes for sizes. */
type ExploredTold = ExploredTied & { readonly launched: Readonly<Record<string, number>> };

/**
 * Explores a kernel with numbers that are what they are called; where no launch explains what it touches
 * then, with numbers that do not depend on their names.
 */
export async function exploreFitting(
  session: ProbeSession,
  asked: Asked,
  elements: Parameters<typeof exploreCounted>[2],
): Promise<ExploredTold> {
  const planned = withoutFittingNumbers(asked.plain.planned);
  const fitting = await exploreTold(session, asked, elements);
  if (planned === undefined || isExplained(fitting)) return fitting;
  const { planned: found, layout } = session;
  const plain = await exploreTold(session, { ...asked, plain: { ...asked.plain, planned } }, elements);
  if (plain.seen.ok || !fitting.seen.ok) return plain;
  session.arrange(found, layout);
  return fitting;
}

/**
 * Explores a kernel with the values that its text tells of bytes; where no launch explains what it touches
 * then, with any.
 */
async function exploreTold(
  session: ProbeSession,
  asked: Asked,
  elements: Parameters<typeof exploreCounted>[2],
): Promise<ExploredTold> {
  const { plain, facts, source } = asked;
  const told = withToldValues(plain.planned, { letters: facts.letters, text: source });
  const launched = launchedSizes(plain, facts);
  if (told.some((each) => each.kind === "buffer" && each.values !== undefined)) {
    const withTold = { ...asked, plain: { ...plain, planned: told } };
    const found = await exploreTied(session, withTold, elements);
    if (isExplained(found)) return { ...found, launched };
  }
  return { ...(await exploreTied(session, asked, elements)), launched };
}

/**
 * Explores a kernel with the numbers that its launch computes from others computed so; where no launch
 * explains what it touches then, with numbers that do not depend on each other. `lesser`: the sizes that were
 * taken for less than others.
 */
async function exploreTied(
  session: ProbeSession,
  { plain, facts, words }: Asked,
  elements: Parameters<typeof exploreCounted>[2],
): Promise<ExploredTied> {
  const own = plain.planned.flatMap((each) => (each.kind === "size" ? each.name : []));
  const said = freeNames(
    facts.said.flatMap(({ grid }) => grid.flatMap((extent) => extent ?? [])),
    plain.planned.map(({ name }) => name),
  );
  const names = new Set([...own, ...said]);
  const exploreWith = (
    relations: CudaLaunchFacts["relations"],
    lesser: Plain["lesser"],
    sizes: TiedSizes,
  ): ReturnType<typeof exploreCounted> => {
    session.arrange(plain.planned, plain.layout);
    session.tied = sizes;
    session.relations = relationsBetween(relations, names);
    session.renew();
    return exploreCounted(session, { ...facts, text: { ...words, lesser } }, elements);
  };
  const explore = async (lesser: Plain["lesser"], sizes: TiedSizes): Promise<Exploration> => {
    // What comments are read as saying may not be what they say.
    const stated = [...facts.stated, ...facts.wholes];
    if (relationsBetween(stated, names).length > 0) {
      const found = await exploreWith([...facts.relations, ...stated], lesser, sizes);
      if (isExplained(found)) return found;
    }
    return exploreWith(facts.relations, lesser, sizes);
  };
  const tied = tiedSizes(plain, facts);
  if (tied !== undefined) {
    const lesser = new Set([...plain.lesser, ...tied.lesser]);
    const found = await explore(lesser, tied.values);
    if (isExplained(found)) return { ...found, lesser };
  }
  return { ...(await explore(plain.lesser, new Map())), lesser: plain.lesser };
}

/** Whether a launch was found that explains all that the kernel touches, and it writes. */
function isExplained({ seen }: Exploration): boolean {
  return seen.ok && isWriting(seen) && seen.value.launch.misfit < goodFit;
}
