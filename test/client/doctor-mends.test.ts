import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cardOf, mendsOf } from "../../client/src/doctor/mends";
import mendsByPiece from "../../server/host/lsp/handlers/doctor-mends.json";
import pieces from "../../server/host/toolchain/doctor-pieces.json";
import type { DoctorRowView } from "../../server/protocol/doctor-views";
import { settingTable } from "../../server/protocol/settings";
import { inRepository } from "../../server/setup/support/layout.mjs";

const pip = "python3 -m pip install it";
const nothing = { runs: false, setting: "", decides: false, commands: [] };

function row(part: Partial<DoctorRowView>): DoctorRowView {
  return {
    piece: "P",
    state: "missing",
    detail: "no it",
    cost: "less",
    remedy: pip,
    mends: nothing,
    protections: [],
    ...part,
  };
}

test.each([
  { what: "nothing mends it", given: row({}), isSet: false, buttons: [], remedy: pip },
  {
    what: "it is found",
    ...{ given: row({ state: "found", remedy: "", mends: { ...nothing, runs: true } }), isSet: true },
    ...{ buttons: [], remedy: "" },
  },
  {
    what: "a line gets it",
    ...{ given: row({ mends: { ...nothing, runs: true, setting: "nvcc", decides: true } }), isSet: false },
    ...{ buttons: ["Run in Terminal", "Open Setting"], remedy: pip },
  },
  {
    what: "a setting names another one, so that the line would help nothing",
    ...{ given: row({ mends: { ...nothing, runs: true, setting: "nvcc", decides: true } }), isSet: true },
    ...{ buttons: ["Reset Setting", "Open Setting"], remedy: "" },
  },
  {
    what: "a setting says where the line puts it",
    ...{ given: row({ mends: { ...nothing, runs: true, setting: "python" } }), isSet: true },
    ...{ buttons: ["Run in Terminal", "Open Setting"], remedy: pip },
  },
  {
    what: "commands stand for the line",
    ...{ given: row({ mends: { ...nothing, commands: ["selectModel", "setModelKey"] } }), isSet: false },
    ...{ buttons: ["Select Model", "Set Model Key"], remedy: "" },
  },
])("what the doctor's page offers where $what", ({ given, isSet, buttons, remedy }) => {
  const card = cardOf(given, isSet);
  expect([card.buttons, card.remedy]).toEqual([buttons, remedy]);
});

test("a button does what its title says", () => {
  const given = row({ mends: { runs: true, setting: "nvcc", decides: true, commands: ["selectModel"] } });
  const deeds = (isSet: boolean): unknown => mendsOf(given, isSet).map(({ mend }) => mend);
  const others = [
    { kind: "command", command: "kernelwright.selectModel" },
    { kind: "open-setting", setting: "nvcc" },
  ];
  expect(deeds(false)).toEqual([{ kind: "run", line: pip }, ...others]);
  expect(deeds(true)).toEqual([{ kind: "reset-setting", setting: "nvcc" }, ...others]);
});

test("what mends a piece names pieces, settings and commands that are there", () => {
  const manifest = JSON.parse(readFileSync(inRepository("package.json"), "utf8")) as {
    readonly contributes: { readonly commands: readonly { readonly command: string }[] };
  };
  const commands = manifest.contributes.commands.map(({ command }) => command);
  const named = pieces.map(({ piece }) => piece);
  for (const [piece, { runs, setting, commands: mending }] of Object.entries(mendsByPiece)) {
    expect(named).toContain(piece);
    expect(commands).toEqual(expect.arrayContaining(mending.map((name) => `kernelwright.${name}`)));
    if (setting !== "") expect(Object.keys(settingTable)).toContain(setting);
    if (runs) expect(pieces.find((each) => each.piece === piece)?.remedy).not.toBe("");
  }
});
