/**
 * How much of what is random, or one of very many cases, a test looks at. `npm test -- --fast` takes a share,
 * so that it ends in two minutes; everything else, the whole `npm test` among it, takes all.
 */
export const drawsAll = process.env.KERNELWRIGHT_DRAWS !== "few";

/** The fast lane takes one of this many. */
const SHARE = 5;

/** How many draws a test makes that makes `all` of them where there is time. */
export function draws(all: number): number {
  return drawsAll ? all : Math.ceil(all / SHARE);
}

/** All cases, or some of them at equal distances, the first among them. */
export function drawn<Case>(cases: readonly Case[]): readonly Case[] {
  return drawsAll ? cases : cases.filter((_, index) => index % SHARE === 0);
}

/** The distance between neighbouring cases that a test goes through by steps of `all` where there is time. */
export function stride(all: number): number {
  return drawsAll ? all : all * SHARE;
}
