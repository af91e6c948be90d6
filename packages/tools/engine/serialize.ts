const lastInLine = new Map<string, Promise<unknown>>();

/** Runs work for the same key one after the other: the writes of one call never overlap in this process. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = lastInLine.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  lastInLine.set(key, mine);
  try {
    return await mine;
  } finally {
    if (lastInLine.get(key) === mine) lastInLine.delete(key);
  }
}
