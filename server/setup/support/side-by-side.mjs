/**
 * Runs works in their order, as many at once as fit into the rows. A work that does not fit yet is not
 * overtaken by a later one.
 * @template {{ rows: number }} W rows: how many a work takes; one that wants more than there are runs
 *   alone
 * @template R
 * @param {readonly W[]} works
 * @param {number} rows
 * @param {(work: W) => Promise<R>} start must not fail
 * @param {() => boolean} mayStart asked before each start; from the first "no" on nothing more is started
 * @returns {Promise<R[]>} what the started works gave, in the order of the works
 */
export async function sideBySide(works, rows, start, mayStart) {
  /** @type {Promise<R>[]} */
  const started = [];
  /** @type {Set<Promise<unknown>>} */
  const running = new Set();
  let busy = 0;
  for (const work of works) {
    const share = Math.min(work.rows, rows);
    while (busy + share > rows) await Promise.race(running);
    if (!mayStart()) break;
    busy += share;
    const result = start(work);
    started.push(result);
    const ended = result.then(() => {
      busy -= share;
      running.delete(ended);
    });
    running.add(ended);
  }
  return Promise.all(started);
}
