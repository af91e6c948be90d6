const reply = Symbol("reply");

type Extra = {
  headers?: Record<string, string>;
  next?: string;
  /** Another protocol's own status, with the body as text that is sent as it is. */
  status?: number;
};
export type Reply<Body> = Extra & { [reply]: Body };

/** An answer that says more than its body: headers of its own, or the cursor of the next page. */
export const answerWith = <Body>(body: Body, extra: Extra): Reply<Body> => ({ ...extra, [reply]: body });

/** The answer of another protocol, word for word. */
export const answerAs = (status: number, headers: Record<string, string>, text: string): Reply<string> => ({
  status,
  headers,
  [reply]: text,
});

const isReply = (answer: unknown): answer is Reply<unknown> => typeof answer === "object" && answer !== null && reply in answer;

/** What a verb gave, taken apart. */
export const readReply = (answer: unknown): Extra & { body: unknown } =>
  isReply(answer) ? { body: answer[reply], headers: answer.headers, next: answer.next, status: answer.status } : { body: answer };
