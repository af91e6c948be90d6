import type { Slot } from "fhir/r4.js";
import type { Call } from "./http.ts";
import { epicIds } from "./personalities/epic-ids.ts";
import type { Store } from "./store.ts";

/** The slot that a booking names, in whichever alphabet it names it, becomes what somebody else, or nobody, makes of it. */
export async function markSlot(store: Store, call: Call, status: Slot["status"]): Promise<void> {
  const [id] = /(?<="Slot\/)[A-Za-z0-9.-]+/.exec(call.body) ?? [];
  const wanted = id && store.get("Slot", epicIds.decode(id));
  if (wanted) await store.commit([{ ...wanted, status }]);
}
