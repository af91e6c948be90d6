import type { Period } from "fhir/r4.js";

/** A period that ends on a day lasts until that day is over everywhere. */
const endOf = (end: string): number => Date.parse(end) + (end.includes("T") ? 0 : 1.5 * 86_400_000);

/** Of a name, an identifier, a contact point or an address: neither replaced nor of the past. */
export const isCurrent = ({ use, period }: { use?: string; period?: Period }, now: Date): boolean =>
  use !== "old" && !(period?.end !== undefined && endOf(period.end) < now.getTime());
