import type { ResponseOf, Route } from "@vitaline/contract";
import { callPage, type Request } from "./call.ts";

/** An answer to its last page: the pages of a list follow each other, one request at a time. Throws as `call` does. */
export const readAll = async <R extends Route>(route: R, request: Request<R>): Promise<ResponseOf<R>> => {
  const { answer, next } = await callPage(route, request);
  if (next === null || !Array.isArray(answer)) return answer;
  const rows: unknown[] = [...answer];
  for (let cursor: string | null = next; cursor !== null;) {
    const query: object = { ...(request as { query?: object }).query, cursor };
    const page = await callPage(route, { ...request, query } as Request<R>);
    rows.push(...(page.answer as unknown[]));
    cursor = page.next;
  }
  return rows as ResponseOf<R>;
};
