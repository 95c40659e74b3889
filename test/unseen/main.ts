import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PlainFailure } from "../../server/setup/support/problem.mjs";
import { commandOptions } from "../harness/command-options";
import { runAsCommand } from "../harness/command-main";
import { cudaMutations } from "../corpus/mutations/cuda";
import { tritonMutations } from "../corpus/mutations/triton";
import { type UnseenKernel, unseenFolder, unseenKernels } from "./index";
import { type Judged, judgeKernel } from "./judge-kernel";
import { reachesGoals, rowOf, totalsOf, whyOf } from "./report";

const { values } = commandOptions({
  options: {
    only: { type: "string", multiple: true, default: [] },
    held: { type: "boolean", default: false },
    named: { type: "boolean", default: false },
    mutate: { type: "boolean", default: false },
    why: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

/** Kernels that the options choose; those kept aside only where they are asked for. */
function chosen(): readonly UnseenKernel[] {
  const all = unseenKernels();
  for (const file of values.only)
    if (!all.some((kernel) => kernel.file === file))
      throw new PlainFailure(`No kernel "${file}" in test/cases/unseen/index.json.`);
  return all.filter(({ file, held }) =>
    values.only.length > 0 ? values.only.includes(file) : held === values.held,
  );
}

interface Spelling {
  readonly name: string;
  readonly kernel: string;
  /** Texts of the kernel's file and, where it has one, of its spec. */
  readonly files: ReadonlyMap<string, string>;
}

/** The kernel in other spellings, with its spec where that names what a spelling renames. */
function spellings({ file, kernel }: UnseenKernel): readonly Spelling[] {
  const paths = [file, `${file}.kernel.json`].filter((path) => existsSync(join(unseenFolder, path)));
  const files = new Map(paths.map((path) => [path, readFileSync(join(unseenFolder, path), "utf8")]));
  const workspace = { files, file, kernel };
  return (file.endsWith(".py") ? tritonMutations : cudaMutations).flatMap((mutation) => {
    const mutated = mutation.apply(workspace);
    return mutated?.file === file
      ? [{ name: mutation.name, kernel: mutated.kernel, files: mutated.files }]
      : [];
  });
}

function tell(name: string, one: Judged): void {
  process.stderr.write(`${name}${rowOf(one)}\n${values.why ? whyOf(one) : ""}`);
}

async function main(): Promise<number> {
  const judged: Judged[] = [];
  const candidates = values.named ? 0 : undefined;
  for (const kernel of chosen()) {
    const one = await judgeKernel(kernel, { candidates });
    tell("", one);
    judged.push(one);
    for (const { name, kernel: renamed, files } of values.mutate ? spellings(kernel) : []) {
      if (renamed !== kernel.kernel) continue;
      const mutant = await judgeKernel(kernel, { files, candidates });
      tell(`  ${name}: `, mutant);
      judged.push(mutant);
    }
  }
  process.stdout.write(values.json ? `${JSON.stringify({ kernels: judged })}\n` : `\n${totalsOf(judged)}\n`);
  return reachesGoals(judged, values.named) ? 0 : 1;
}

void runAsCommand(main);
