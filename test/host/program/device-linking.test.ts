import { expect, test } from "vitest";
import { buildWords } from "../../../server/host/program/build/build-sources";
import { explainDeviceLinking, namingSources } from "../../../server/host/program/build/device-linking";

const fatal = "nvlink fatal   : merge_elf failed\n";

// What nvlink of CUDA 13.0 says, once the names of objects are those of their sources.
test.each([
  [
    "nvlink error   : Multiple definition of 'counter' in 'part.cu', first defined in 'main.cu'\n" + fatal,
    "counter is defined in main.cu and again in part.cu: define it in one file and declare it extern in the others\n",
  ],
  [
    "nvlink error   : Undefined reference to '_Z7nowherei' in 'main.cu'\nnvlink error   : Undefined reference to '_Z7nowherei' in 'main.cu'\n",
    "nowhere is used in main.cu and defined in no file: name the source or object that defines it\n",
  ],
  [
    "nvlink error   : Undefined reference to '__cudaCDP2DeviceGetLimit' in 'main.cu'\nnvlink error   : Undefined reference to '__cudaCDP2DeviceGetLimit' in 'main.cu'\n",
    "device code in main.cu calls a function of CUDA's runtime that the virtual GPU has for host code only: cudaDeviceGetLimit\n",
  ],
  [
    "nvlink error   : Memory space doesn't match for 'scale' in 'part.cu', first specified in 'main.cu'\nnvlink error   : Size doesn't match for 'counter' in 'part.cu', first specified in 'main.cu'\n" +
      fatal,
    "scale lies in another memory in part.cu than in main.cu: declare it in both as it is defined\ncounter has another size in part.cu than in main.cu: declare it in both as it is defined\n",
  ],
  [
    "nvlink error   : Prototype doesn't match for 'cfun' in 'part.cu', first defined in 'part.cu'\n" + fatal,
    "cfun takes or gives other values in part.cu than where it is used: declare it in both as it is defined\n",
  ],
  [
    "ptxas fatal   : Unresolved extern function '_Z7half_off'\n",
    "half_of is defined in no device code of the file that calls it: -rdc=true has the device code of several files linked\n",
  ],
  [
    "nvlink fatal   : Could not open input file 'nothing.o'\n",
    "nvlink fatal   : Could not open input file 'nothing.o'\n",
  ],
  ['main.cu(3): error: expected a ";"\n', 'main.cu(3): error: expected a ";"\n'],
])("%s", (said, told) => {
  expect(explainDeviceLinking(said)).toBe(told);
});

test.each([
  ["a.cu b.cu", false],
  ["-rdc=true", true],
  ["-rdc=false", false],
  ["-dc", true],
  ["--device-c", true],
  ["--relocatable-device-code=true", true],
  ["-rdc=true -rdc=false", false],
  ["-rdcx", false],
])("%s has device code linked: %s", (words, relocatable) => {
  expect(buildWords("a.cu", words.split(" ")).relocatable).toBe(relocatable);
});

test("objects are told as the sources that they were made of, whatever those are called", () => {
  expect(
    namingSources(
      "f in '/tmp/run/1.o', first in '/tmp/run/0.o', not in 'own.o'",
      ["/tmp/run/0.o", "/tmp/run/1.o"],
      ["$&.cu", "b/$1.cu"],
    ),
  ).toBe("f in 'b/$1.cu', first in '$&.cu', not in 'own.o'");
});
