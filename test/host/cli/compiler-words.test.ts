import { expect, test } from "vitest";
import { compilerWords } from "../../../server/host/cli/compiler-words";

const cases: readonly { readonly words: string; readonly are: string }[] = [
  { words: "check a.cu -Iinclude", are: "check a.cu -Iinclude" },
  { words: "run", are: "run" },
  { words: "run -h", are: "run -h" },
  { words: "run a.cu", are: "run a.cu" },
  {
    words: "run a.cu b.cu c.cpp d.o e.a",
    are: "run a.cu --compile-option=b.cu --compile-option=c.cpp --compile-option=d.o --compile-option=e.a",
  },
  { words: "run a.cu 7 -- b.cu -Iinclude", are: "run a.cu 7 -- b.cu -Iinclude" },
  { words: "run c.cpp a.cu", are: "run --compile-option=c.cpp a.cu" },
  { words: "run c.cpp", are: "run c.cpp" },
  {
    words: "run -Iinclude -DN=4 --sanitize a.cu -O3",
    are: "run --compile-option=-Iinclude --compile-option=-DN=4 --sanitize a.cu --compile-option=-O3",
  },
  {
    words: "run a.cu -I include -D N=4 -l m -std c++17 -Xcompiler -Wall",
    are: "run a.cu --compile-option=-Iinclude --compile-option=-DN=4 --compile-option=-lm --compile-option=-std=c++17 --compile-option=-Xcompiler=-Wall",
  },
  {
    words: "run a.cu --compile-option -lm --arch sm_90 --nvcc /opt/nvcc.cu",
    are: "run a.cu --compile-option -lm --arch sm_90 --nvcc /opt/nvcc.cu",
  },
  {
    words: "run a.cu b.cu -rdc true -dc -relocatable-device-code=true",
    are: "run a.cu --compile-option=b.cu --compile-option=-rdc=true --compile-option=-dc --compile-option=-relocatable-device-code=true",
  },
  {
    words: "run --std c++20 a.cu --use_fast_math --fmad=false --sanitize",
    are: "run --compile-option=--std=c++20 a.cu --compile-option=--use_fast_math --compile-option=--fmad=false --sanitize",
  },
  { words: "run a.cu --sanitise --unknown=1", are: "run a.cu --sanitise --unknown=1" },
  { words: "run a.cu -I", are: "run a.cu --compile-option=-I" },
  { words: "run a.py b.cu -x", are: "run a.py b.cu -x" },
  { words: "run -m pytest -x tests/a.py -k one", are: "run tests/a.py:: -- -x -k one" },
  { words: "run -m pytest -q tests", are: "run tests:: -- -q" },
  {
    words: "run -m pytest -k one -m slow --tb short tests/unit -x",
    are: "run tests/unit:: -- -k one -m slow --tb short -x",
  },
  { words: "run -m pytest -k a.py tests/b.py", are: "run tests/b.py:: -- -k a.py" },
  { words: "capture -m pytest -q tests/a.py", are: "capture tests/a.py:: -- -q" },
  { words: "run -m pytest a.py::test_one", are: "run a.py::test_one --" },
  { words: "run -m own.bench.sums --size 4", are: "run own/bench/sums.py -- --size 4" },
  { words: "capture a.cu --seconds 5 b.cu", are: "capture a.cu --seconds 5 --compile-option=b.cu" },
];

test.each(cases)("$words", ({ words, are }) => {
  expect(compilerWords(words.split(" "))).toEqual(are.split(" "));
});

test.each([
  "-o prog",
  "-arch=sm_90",
  "-gencode x",
  "--gpu-architecture=sm_90",
  "--generate-code arch=compute_80",
  "-c",
  "-ptx",
  "-dlink",
  "-cudart=static",
])("%s is refused", (words) => {
  expect(() => compilerWords(["run", "a.cu", ...words.split(" ")])).toThrow(
    /not for run: .*behind -- is the program's own/,
  );
});
