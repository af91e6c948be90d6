import { randomUUID } from "node:crypto";
import type { Appointment, Slot } from "fhir/r4.js";
import { bookingChanges, slotChanges } from "./booking.ts";
import { eligibilityResponse } from "./eligibility.ts";
import { Refusal } from "../http/http.ts";
import { creatableTypes, type Resource, type ResourceType, type Stored, updatableTypes } from "../store/resource.ts";
import { matching } from "../search/search.ts";
import type { Draft, View } from "../store/store.ts";
import { validResource } from "./validate.ts";

/** The match of a conditional create; several matches are a 412. */
export function existing(view: View, type: ResourceType, ifNoneExist: string | undefined): Stored | undefined {
  if (ifNoneExist === undefined) return undefined;
  const found = matching(view, type, new URLSearchParams(ifNoneExist));
  if (found.length > 1) throw new Refusal(412, "multiple-matches", "If-None-Exist finds more than one");
  return found[0];
}

export function putNew(draft: Draft, type: ResourceType, body: unknown, now: Date, id: string = randomUUID()): Stored {
  if (!creatableTypes.includes(type)) throw new Refusal(405, "not-supported", `${type} cannot be created here`, { Allow: "GET" });
  const wanted: Resource = { ...validResource(type, body), id };
  const [stored] = draft.put(changesFor(draft, undefined, wanted, now));
  if (stored!.resourceType === "CoverageEligibilityRequest") draft.put([eligibilityResponse(draft, stored!, now)]);
  return stored!;
}

export function putChanged(draft: Draft, type: ResourceType, id: string, body: unknown, now: Date, ifMatch?: string): Stored {
  if (!updatableTypes.includes(type)) throw new Refusal(405, "not-supported", `${type} cannot be changed here`, { Allow: "GET" });
  const wanted = validResource(type, body);
  if (wanted.id !== id) throw new Refusal(400, "invalid", "The id in the body is not the id in the address");
  const [stored] = draft.put(changesFor(draft, current(draft, type, id, ifMatch), wanted, now));
  return stored!;
}

/** Throws a Refusal: 404 for a missing resource, 412 for another version. */
export function current(view: View, type: ResourceType, id: string, ifMatch?: string): Stored {
  const found = view.get(type, id);
  if (!found) throw new Refusal(404, "not-found", `There is no ${type} with this id`);
  if (ifMatch !== undefined && ifMatch !== etag(found)) throw new Refusal(412, "conflict", "The resource has changed since it was read");
  return found;
}

export const etag = ({ meta }: Stored) => `W/"${meta.versionId}"`;

function changesFor(draft: Draft, before: Stored | undefined, after: Resource, now: Date): Resource[] {
  if (after.resourceType === "Appointment") return bookingChanges(draft, before as Appointment | undefined, after, now);
  if (after.resourceType === "Slot") return slotChanges(draft, before as Slot, after);
  return [after];
}
