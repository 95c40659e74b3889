/**
 * Reads something from a log, which is data from outside: a newer or altered one may lack a field that its
 * type has, and reading on from there shows as a TypeError. Then the answer is `otherwise`; every other error
 * is passed on.
 */
export function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof TypeError) return otherwise;
    throw thrown;
  }
}

/** The same for what is read in several steps. */
export async function readOrAsync<Value>(
  otherwise: Value,
  read: () => Promise<Value> | Value,
): Promise<Value> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof TypeError) return otherwise;
    throw thrown;
  }
}
