import { fail, succeed } from "../../core/base/outcome";
import { evaluateLaunchSite } from "../../core/language/launch-evaluation";
import { findLaunchSites, withSource } from "../../core/language/source-file";
import type { Grammars } from "../../core/language/tree";
import type { LaunchShapes } from "../../core/ports/launch-shapes";

/**
 * Reads launches from sources with the grammars. The first launch site of the kernel counts; later ones are
 * other uses of it.
 */
export function createLaunchShapes(grammars: () => Promise<Grammars>): LaunchShapes {
  return {
    read: async (question) => {
      const sites =
        withSource(await grammars(), question.path, question.text, (source) => findLaunchSites(source)) ?? [];
      // A launch may leave namespaces out or write more of them than the spec does.
      const last = question.kernel.split("::").at(-1);
      const site = sites.find(
        (each) => each.kernel === question.kernel || each.kernel.split("::").at(-1) === last,
      );
      if (!site)
        return fail(
          `${question.path} does not launch ${question.kernel}: write "grid" and "block" into the spec`,
        );
      const shape = evaluateLaunchSite({ site, arguments: question.arguments, sizes: question.sizes });
      return shape.ok ? succeed({ ...shape.value, templateArguments: site.templateArguments }) : shape;
    },
  };
}
