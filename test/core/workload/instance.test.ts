import { expect, test } from "vitest";
import type { DataType } from "../../../server/core/workload/spec";
import { chooseInstance, usualTypes } from "../../../server/core/workload/build/instance";

const byType = [
  ["double", "32"],
  ["float", "32"],
  ["unsigned char", "32"],
];
const mixed = [
  ["double", "long long"],
  ["float", "int"],
];

interface Case {
  readonly title: string;
  readonly instances: readonly (readonly string[])[];
  readonly named: readonly string[];
  readonly types?: readonly DataType[];
  readonly index: number;
  readonly isNamed: boolean;
}

test.each<Case>([
  {
    title: "the one that the launch names",
    instances: byType,
    named: ["double", "32"],
    index: 0,
    isNamed: true,
  },
  {
    title: "the only one, however it is named",
    instances: [["double"]],
    named: ["T"],
    index: 0,
    isNamed: true,
  },
  {
    title: "float where a type parameter is named",
    instances: byType,
    named: ["T"],
    index: 1,
    isNamed: false,
  },
  { title: "the spec's type", instances: byType, named: [], types: ["uint8"], index: 2, isNamed: false },
  { title: "the first of numbers", instances: [["16"], ["8"]], named: ["K"], index: 0, isNamed: false },
  { title: "float and int before double and long", instances: mixed, named: [], index: 1, isNamed: false },
  { title: "a type that is known", instances: [["Complex"], ["float"]], named: [], index: 1, isNamed: false },
])("of several instances is run $title", ({ instances, named, types, index, isNamed }) => {
  const wanted = types === undefined ? usualTypes : new Set(types);
  expect(chooseInstance(instances, named, wanted)).toEqual({ index, isNamed });
});
