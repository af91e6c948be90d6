import { allDone } from "./all-done.ts";

/** What one BatchGet takes. */
const most = 100;

/** Reads rows however many they are: a hundred a request, all requests at once; the answers in the order of the ids. */
export async function inHundreds<Id, Row>(ids: readonly Id[], read: (some: Id[]) => Promise<Row[]>): Promise<Row[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / most) }, (_, part) => ids.slice(part * most, (part + 1) * most));
  return (await allDone(parts.map(read))).flat();
}
