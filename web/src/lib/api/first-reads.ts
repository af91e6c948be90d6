/** Requests that a document sends itself while its scripts load, in web/index.html. */
type FirstReads = {
  token: string;
  /** By address. Undefined: not sent for the session's role, or no answer came. */
  answers: Record<string, Promise<Response | undefined>>;
};

const page = globalThis as { firstReads?: FirstReads };

/** The answer to a request that the document has sent with this token, once. */
export const takeFirstRead = async (address: string, token: string | null): Promise<Response | undefined> => {
  const { firstReads } = page;
  if (firstReads?.token !== token) return undefined;
  const answer = firstReads.answers[address];
  delete firstReads.answers[address];
  return answer;
};
