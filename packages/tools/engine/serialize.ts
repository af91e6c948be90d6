const lastByKey = new Map<string, Promise<unknown>>();

/** Runs work for the same key one after another within this process. */
export async function serialize<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = lastByKey.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  lastByKey.set(key, mine);
  try {
    return await mine;
  } finally {
    if (lastByKey.get(key) === mine) lastByKey.delete(key);
  }
}
