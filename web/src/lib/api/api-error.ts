import { Problem } from "@vitaline/contract";

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** An answer other than 2xx. `message` is "<status>: <body>"; `problem` is the body if it has the platform's shape. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Problem | undefined;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.name = "ApiError";
    this.status = status;
    this.problem = Problem.safeParse(parseJson(body)).data;
  }
}

/** A 2xx answer without the promised shape. */
export class UnreadableAnswer extends Error {
  constructor(path: string) {
    super(`The answer from ${path} could not be read.`);
    this.name = "UnreadableAnswer";
  }
}

const isHtml = (text: string): boolean => text.trimStart().startsWith("<");

/** A sentence to display: the server's text if there is one, without markup. */
export const explain = (error: unknown): string => {
  if (error instanceof ApiError) {
    if (error.problem) return error.problem.error;
    return isHtml(error.message.slice(error.message.indexOf(":") + 1))
      ? `The server answered with an error (${error.status}).`
      : error.message;
  }
  if (error instanceof UnreadableAnswer) return error.message;
  if (error instanceof DOMException && error.name === "TimeoutError") return "The server took too long to answer.";
  return "The server could not be reached. Check your connection and try again.";
};

/** Another user has changed the record since it was read. */
export const isStale = (error: unknown): boolean => error instanceof ApiError && error.problem?.code === "stale_version";

/** The request may have taken effect: the answer was lost, came from a proxy, or reports a partial failure. */
export const isUncertain = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;

export const requestIdOf = (error: unknown): string | undefined => (error instanceof ApiError ? error.problem?.requestId : undefined);
