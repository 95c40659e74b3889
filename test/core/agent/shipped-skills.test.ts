import { expect, test } from "vitest";
import { writeSkill } from "../../../server/core/agent/memory/skill";
import { shippedSkills } from "../../bench/skills";
import kernels from "../../bench/skills.json";

// `npm run bench -- skills` makes each of them again on the virtual GPU.
test("skills that come with the product are read, short, and each has the kernel that it is verified on", () => {
  const shipped = [...shippedSkills()];
  expect(shipped.map(([id]) => id).sort()).toEqual(Object.keys(kernels).sort());
  for (const [id, skill] of shipped) {
    expect([id, skill.used, skill.helped, skill.where]).toEqual([
      id,
      0,
      0,
      expect.stringContaining("Kernelwright"),
    ]);
    expect([id, skill.gain >= 1.1, writeSkill(skill).length < 8000]).toEqual([id, true, true]);
  }
});
