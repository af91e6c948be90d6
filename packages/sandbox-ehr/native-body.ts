import type { Call } from "./http.ts";
import { Refusal } from "./refusal.ts";
import type { NativeResource } from "./versions/version.ts";

const jsonType = /^application\/(fhir\+json|json\+fhir|json)\b/i;

/** What was sent: JSON under any of the names that FHIR has had for it (else 415), and a resource (else 400). */
export function parseNative(call: Call): NativeResource {
  if (!jsonType.test(call.headers["content-type"] ?? "")) throw new Refusal(415, "not-supported", "The body must be FHIR in JSON");
  try {
    const body = JSON.parse(call.body) as NativeResource | null;
    if (typeof body === "object" && body !== null && typeof body.resourceType === "string") return body;
  } catch {
    // Neither is text that is no JSON
  }
  throw new Refusal(400, "structure", "The body is not a resource in JSON");
}

/** The call as R4 would have it, with another body if one is given. */
export const asR4 = (call: Call, body?: object): Call => ({
  ...call,
  headers: { ...call.headers, "content-type": "application/fhir+json" },
  ...(body && { body: JSON.stringify(body) }),
});
