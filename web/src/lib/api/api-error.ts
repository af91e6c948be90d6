import { Problem } from "@vitaline/contract";

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** An answer that is not 2xx. `message` is "<status>: <body>"; `problem` is the body when it has the platform's shape. */
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

/** An answer that says it is fine but has not the promised shape. */
export class UnreadableAnswer extends Error {
  constructor(path: string) {
    super(`The answer from ${path} could not be read.`);
    this.name = "UnreadableAnswer";
  }
}

const isHtml = (text: string): boolean => text.trimStart().startsWith("<");

/** A sentence for the person at the screen, without status codes or markup when the server gave a better one. */
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

/** Whether somebody else has changed it since it was read. */
export const isStale = (error: unknown): boolean => error instanceof ApiError && error.problem?.code === "stale_version";

/** Whether what was asked for may have happened all the same: the answer was lost, came from somebody between, or says that only a part failed. */
export const isUncertain = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;

export const requestIdOf = (error: unknown): string | undefined => (error instanceof ApiError ? error.problem?.requestId : undefined);
