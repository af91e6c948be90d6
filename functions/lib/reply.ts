const reply = Symbol("reply");

type Extra = { headers?: Record<string, string>; next?: string };
export type Reply<Body> = Extra & { [reply]: Body };

/** An answer that says more than its body: headers of its own, or the cursor of the next page. */
export const answerWith = <Body>(body: Body, extra: Extra): Reply<Body> => ({ ...extra, [reply]: body });

const isReply = (answer: unknown): answer is Reply<unknown> => typeof answer === "object" && answer !== null && reply in answer;

/** What a verb gave, taken apart. */
export const readReply = (answer: unknown): Extra & { body: unknown } =>
  isReply(answer) ? { body: answer[reply], headers: answer.headers, next: answer.next } : { body: answer };
