import { fail, type Outcome, succeed } from "../../core/base/outcome";
import { ownLauncher } from "../../core/language/cuda/launch/own-launcher";
import { evaluateLaunchSite } from "../../core/language/launch-evaluation";
import { launchFormulas } from "../../core/language/launch-expressions";
import type { LaunchSite } from "../../core/language/facts";
import { findLaunchSites, withSource } from "../../core/language/source-file";
import type { Grammars } from "../../core/language/tree";
import type { LaunchShapeQuestion, LaunchShapes, OwnLaunchShape } from "../../core/ports/launch-shapes";

/**
 * Reads launches from sources with the grammars. The first launch site of the kernel counts; later ones are
 * other uses of it.
 */
export function createLaunchShapes(grammars: () => Promise<Grammars>): LaunchShapes {
  const known = new KnownSites(grammars);
  return {
    own: async (question) => ownShape(await grammars(), question),
    read: async (question) => {
      const sites = await known.of(question);
      // A launch may leave namespaces out or write more of them than the spec does.
      const last = question.kernel.split("::").at(-1);
      const own = sites.filter(
        (each) => each.kernel === question.kernel || each.kernel.split("::").at(-1) === last,
      );
      const [site] = own;
      if (!site)
        return fail(
          `${question.path} does not launch ${question.kernel}: write "grid" and "block" into the spec`,
        );
      const asked = { site, arguments: question.arguments, sizes: question.sizes };
      const shape = evaluateLaunchSite(asked);
      if (!shape.ok) return shape;
      const formulas = launchFormulas(asked, shape.value);
      const passed = [...new Set(own.map((each) => each.arguments.map(withoutCasts).join(", ")))];
      return succeed({
        ...shape.value,
        templateArguments: site.templateArguments,
        passed,
        ...(formulas && { formulas }),
      });
    },
  };
}

function ownShape(
  grammars: Grammars,
  { path, text, kernel, arguments: passed, sizes }: LaunchShapeQuestion,
): Outcome<OwnLaunchShape, string> | undefined {
  return withSource(grammars, path, text, ({ dialect, tree }) => {
    const own = dialect === "cuda" ? ownLauncher(tree.root, kernel) : "none";
    if (typeof own === "string") return undefined;
    const { site } = own.launch;
    const asked = { site, arguments: passed, sizes };
    const shape = evaluateLaunchSite(asked);
    if (!shape.ok) return shape;
    const formulas = launchFormulas(asked, shape.value);
    return succeed({
      ...shape.value,
      templateArguments: site.templateArguments,
      passed: [site.arguments.join(", ")],
      rest: text.slice(0, own.start) + text.slice(own.end),
      ...(formulas && { formulas }),
    });
  });
}

/** A baseline and the candidates that are checked at the same time. */
const mostTexts = 8;

/** The launch sites of the texts that were asked for last: each case of a check asks for the same. */
class KnownSites {
  private readonly known = new Map<string, readonly LaunchSite[]>();

  constructor(private readonly grammars: () => Promise<Grammars>) {}

  async of({ path, text }: Pick<LaunchShapeQuestion, "path" | "text">): Promise<readonly LaunchSite[]> {
    const loaded = await this.grammars();
    const key = `${path}\n${text}`;
    const before = this.known.get(key);
    if (before !== undefined) return before;
    const sites = withSource(loaded, path, text, (source) => findLaunchSites(source)) ?? [];
    this.known.set(key, sites);
    for (const oldest of [...this.known.keys()].slice(0, -mostTexts)) this.known.delete(oldest);
    return sites;
  }
}

/** Pointers to other types are the same places. */
function withoutCasts(argument: string): string {
  return argument.replace(/\(\s*[\w:][\w:\s]*\*+\s*\)|reinterpret_cast<[^<>]*>/g, "");
}
