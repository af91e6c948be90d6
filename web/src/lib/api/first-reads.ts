export type Answered = { status: number; statusText: string; link: string | null; text: string };

/** Requests that a document sends itself while its scripts load, in web/index.html. */
type FirstReads = {
  token: string;
  /** By address. Undefined: not sent for the session's role, or no answer came. `at`: milliseconds since the page began. */
  answers: Record<string, Promise<(Answered & { at: number }) | undefined>>;
  leaving: AbortController;
};

const page = globalThis as { firstReads?: FirstReads };

/** A page that shows older data must not call it new. */
const newMilliseconds = 30_000;

/** The answer to a request that the document has sent with this token, once. Rejects when the signal aborts. */
export const takeFirstRead = async (address: string, token: string | null, signal: AbortSignal): Promise<Answered | undefined> => {
  const { firstReads } = page;
  if (!firstReads) return undefined;
  if (firstReads.token !== token) return dropFirstReads();
  const { [address]: answer, ...others } = firstReads.answers;
  firstReads.answers = others;
  const given = await Promise.race([answer, aborted(signal)]);
  return given && performance.now() - given.at < newMilliseconds ? given : undefined;
};

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });

/** Aborts those that run. */
export const dropFirstReads = (): undefined => {
  page.firstReads?.leaving.abort();
  delete page.firstReads;
};
