const lastByKey = new Map<string, Promise<unknown>>();

/** Runs work for the same key one after another within this process. */
export async function runSequentially<T>(key: string, work: () => Promise<T>): Promise<T> {
  const previous = lastByKey.get(key) ?? Promise.resolve();
  const current = previous.then(work, work);
  lastByKey.set(key, current);
  try {
    return await current;
  } finally {
    if (lastByKey.get(key) === current) lastByKey.delete(key);
  }
}
