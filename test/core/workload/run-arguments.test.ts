import { expect, test } from "vitest";
import { runArguments, smallerArguments } from "../../../server/core/workload/build/run-arguments";

test.each<readonly [string, readonly string[] | undefined]>([
  ["run: $(program)\n\t$(LAUNCHER) ./$(program) 1000 100\n", ["1000", "100"]],
  ["test:\n\t@./sieve -n 4096 --check\n", ["-n", "4096", "--check"]],
  ["#!/bin/sh\n./other 1\n./sieve 'a b' 2 > log.txt\n", ["a b", "2"]],
  ["run:\n\t$(TARGET) 7 # small\n", ["7"]],
  ["run:\n\t./first 3 | tail -1\n\t./second 4\n", ["3"]],
  ["run:\n\t./$(program) $(SIZE)\n", undefined],
  ["run:\n\t./$(program)\n", undefined],
  ["all: sieve\n\tnvcc -o sieve sieve.cu\n", undefined],
  ["$(program): $(obj)\n\t$(CC) $(CFLAGS) $(obj) -o $@\n", undefined],
  ["$(program): main.o\n\t$(CC) main.o -o sieve -O3\n", undefined],
])("%s hands the program %s", (text, words) => {
  expect(runArguments(text, "src/sieve.cu")).toEqual(words);
});

test.each<readonly [string, number, string | undefined]>([
  ["100000 100000 100", 4, "25000 25000 32"],
  ["-n 4096 --seed 7 grid.txt", 16, "-n 256 --seed 7 grid.txt"],
  ["fast 8 0.5", 4, undefined],
])("the numbers of %s are divided by %i", (words, divisor, smaller) => {
  expect(smallerArguments(words.split(" "), divisor)?.join(" ")).toBe(smaller);
});
