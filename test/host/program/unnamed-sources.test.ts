import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { unnamedSources } from "../../../server/host/program/build/unnamed-sources";

const folder = mkdtempSync(join(tmpdir(), "unnamed-"));
for (const path of ["app/kernels", "common", "lib/include", "lib/src"])
  mkdirSync(join(folder, path), { recursive: true });
const files = {
  "app/main.cu": "int scale(float *x, int n);\nint main() { return scale(nullptr, 0); }\n",
  "app/scale.cu": "int scale(float *x, int n)\n{\n  return n;\n}\n",
  "app/fold.cpp":
    "template <class T> void fold(int n, T *x) {\n}\ntemplate void fold<double>(int, double *);\n",
  "app/turn.cpp": "int turn(int n) {\n  return -n;\n}\n",
  "app/old_turn.cpp": "int turn(int n) {\n  return n;\n}\n",
  "app/Makefile": "OBJECTS = main.o turn.o\nturn.o: turn.cpp\n\tg++ -c turn.cpp\n",
  "app/columns.cu": "template <class T> T Columns<T>::operator()() {\n  return 1;\n}\n",
  "app/rows.cpp": "template <class T>\nT Rows<T>::operator()()\n{\n  return 2;\n}\n",
  "app/notes.txt": "int scale(float *x, int n) {}\n",
  "app/scale_test.cu": "int half(int n) { return n / 2; }\nint main() { return half(2); }\n",
  "app/kernels/sum.cu": "float sum(const float *x, int n) { return x[n]; }\n",
  "app/table.cpp": 'const char *names[2] = {"one", "two"};\nextern int others[];\n',
  "common/clock.h": "void begin();\n",
  "common/clock.cpp": "void begin() {\n}\n",
  "app/kernels/sum.cuh": "float sum(const float *x, int n);\n",
  "app/cuda_calls.cu": "void cudaScaleRows(float *x) {\n}\n",
  "app/half.cu": "int whole(int n) { return n; }\n",
  "app/whole_test.cu": "int whole(int n) { return n; }\nint main() { return whole(2); }\n",
  "lib/include/rows.h": "void rows(int n);\nvoid columns(int n);\n",
  "lib/src/walks.cu": "void rows(int n) {\n}\n",
  "lib/plain.c": "void columns(int n) {\n}\n",
  "app/third.c": "/*-- main() --*/\nint third(int n) { return n / 3; } // { main() { }\n",
  "other.cu": "int scale(float *x, int n) { return 0; }\n",
};
for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
afterAll(() => rmSync(folder, { recursive: true }));

const included = [
  "app/main.cu",
  "common/clock.h",
  "lib/include/rows.h",
  join(folder, "app/kernels/sum.cuh"),
  "/usr/include/stdio.h",
];
const none = { sure: [], advice: "" };

test.each([
  [
    "a function of a source beside it",
    "main.cu:2: undefined reference to `scale(float*, int)'",
    ["app/main.cu"],
    { sure: [{ path: "app/scale.cu", names: ["scale"] }], advice: "" },
  ],
  [
    "one in a namespace",
    "undefined reference to `nn::scale(float*, int)'",
    ["./app/main.cu"],
    { sure: [{ path: "app/scale.cu", names: ["nn::scale"] }], advice: "" },
  ],
  [
    "one that a template made, told with its type",
    "main.cu:2: undefined reference to `void nn::fold<double>(int, std::pair<int, int>*)'",
    ["app/main.cu"],
    { sure: [{ path: "app/fold.cpp", names: ["nn::fold"] }], advice: "" },
  ],
  [
    "members of classes that have the same names",
    "undefined reference to `Rows<float>::operator()()'\nundefined reference to `Columns<float>::operator()()'",
    ["app/main.cu"],
    {
      sure: [
        { path: "app/columns.cu", names: ["Columns::operator"] },
        { path: "app/rows.cpp", names: ["Rows::operator"] },
      ],
      advice: "",
    },
  ],
  [
    "of two the one that the makefile names",
    "main.cu:2: undefined reference to `turn(int)'",
    ["app/main.cu"],
    { sure: [{ path: "app/turn.cpp", names: ["turn"] }], advice: "" },
  ],
  [
    "a function for devices",
    "scale is defined in no device code of the file that calls it: -rdc=true has the device code of several files linked",
    ["app/main.cu"],
    { sure: [{ path: "app/scale.cu", names: ["scale"] }], advice: "" },
  ],
  [
    "a function of a source that speaks of a main()",
    "undefined reference to `third'",
    ["app/main.cu"],
    { sure: [{ path: "app/third.c", names: ["third"] }], advice: "" },
  ],
  [
    "a function of another program",
    "undefined reference to `half(int)'",
    ["app/main.cu"],
    {
      sure: [],
      advice: "half is defined in app/scale_test.cu: name that source too, after app/main.cu\n",
    },
  ],
  [
    "a function of a source in a folder beside it",
    "undefined reference to `sum(float const*, int)'",
    ["app/main.cu"],
    { sure: [{ path: "app/kernels/sum.cu", names: ["sum"] }], advice: "" },
  ],
  [
    "a variable",
    "undefined reference to `names'",
    ["app/main.cu"],
    { sure: [{ path: "app/table.cpp", names: ["names"] }], advice: "" },
  ],
  ["a variable that is declared alone", "undefined reference to `others'", ["app/main.cu"], none],
  [
    "a function of an included header's source",
    "undefined reference to `begin()'",
    ["app/main.cu"],
    { sure: [{ path: "common/clock.cpp", names: ["begin"] }], advice: "" },
  ],
  [
    "functions of sources beside an included header's folder",
    "undefined reference to `rows(int)'\nundefined reference to `columns(int)'",
    ["app/main.cu"],
    {
      sure: [
        { path: "lib/plain.c", names: ["columns"] },
        { path: "lib/src/walks.cu", names: ["rows"] },
      ],
      advice: "",
    },
  ],
  [
    "a function that is named as CUDA's are",
    "main.cu:2: the virtual GPU's runtime has no cudaScaleRows",
    ["app/main.cu"],
    { sure: [{ path: "app/cuda_calls.cu", names: ["cudaScaleRows"] }], advice: "" },
  ],
  [
    "a function that another program has as well",
    "undefined reference to `whole(int)'",
    ["app/main.cu"],
    { sure: [{ path: "app/half.cu", names: ["whole"] }], advice: "" },
  ],
  ["one of a source that is named", "undefined reference to `scale'", ["app/main.cu", "app/scale.cu"], none],
  ["one that no source has", "undefined reference to `offset(int)'", ["app/main.cu"], none],
  ["another complaint", "cannot find -lscale", ["app/main.cu"], none],
])("of %s the linker misses it is told where it stands", async (_, said, sources, expected) => {
  expect(await unnamedSources(said, { folder, sources, included })).toEqual(expected);
});
