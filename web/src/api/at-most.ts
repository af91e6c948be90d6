/** Lets so many works run at once; the others wait in the order in which they came. */
export const atMost = (most: number) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < most) running += 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      // The place goes to who has waited longest.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
