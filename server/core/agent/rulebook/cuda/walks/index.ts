import type { Rule } from "../../rule";
import { binarySearch } from "../searches/binary-search";
import { interleaveScratch } from "./interleave-scratch";
import { stageWalks } from "./stage-walks";

/** Rules about loops that go through an array. */
export const walkRules: readonly Rule[] = [stageWalks, binarySearch, interleaveScratch];
