/**
 * Waits for all of several pieces of work, also when one of them fails: what the others have got is then kept
 * for the next time, and what they have to tell is told.
 * @template {readonly unknown[]} T
 * @param {T} works
 * @returns {Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }>} rejected with the first failure
 */
export async function together(works) {
  await Promise.allSettled(works);
  return /** @type {{ -readonly [K in keyof T]: Awaited<T[K]> }} */ (await Promise.all(works));
}
