import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Skill, writeSkill } from "../../../server/core/agent/memory/skill";
import { SkillFiles } from "../../../server/host/storage/skill-files";
import { systemIdentity } from "../../../server/host/system/identity";
import { memoryFiles } from "../../harness/memory-files";

const skill: Skill = {
  ...{ id: "wide", dialect: "triton", target: "vgpu:sm_80", before: "dram", after: "l2", gain: 3 },
  ...{ where: "copy, 2026-01-01", idea: "wide", counted: [], rewrite: "-a\n+b" },
  ...{ told: 0, used: 0, helped: 0 },
};

test("skills are files of the user's; those of the repository are read and never written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-skills-"));
  const shared = { ...skill, id: "shared" };
  const repository = memoryFiles({ ".kernelwright/skills/shared.md": writeSkill(shared) });
  const ours = { ...skill, id: "ours" };
  const library = new SkillFiles(join(folder, "skills"), {
    repository,
    shipped: () => Promise.resolve([writeSkill({ ...shared, gain: 9 }), writeSkill(ours)]),
    identity: systemIdentity,
  });
  expect(await library.load()).toEqual([shared, ours]);
  await library.save([skill, shared, ours]);
  writeFileSync(join(folder, "skills", "mine.md"), "# words of mine\n");
  expect(readdirSync(join(folder, "skills")).sort()).toEqual(["mine.md", "wide.md"]);
  expect(readFileSync(join(folder, "skills", "wide.md"), "utf8")).toBe(writeSkill(skill));
  expect(await library.load()).toEqual([skill, shared, ours]);
  await library.save([{ ...shared, used: 1 }]);
  expect(await library.load()).toEqual([{ ...shared, used: 1 }]);
  // What a product or a repository brings does not come back once it was forgotten.
  expect(readdirSync(join(folder, "skills")).sort()).toEqual(["forgotten.txt", "mine.md", "shared.md"]);
  expect(readFileSync(join(folder, "skills", "forgotten.txt"), "utf8")).toBe("ours\n");
  rmSync(folder, { recursive: true });
});
