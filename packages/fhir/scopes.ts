const pattern = /^(?:patient|user|system)\/(\*|[A-Z][A-Za-z]*)\.(\*|read|write|c?r?u?d?s?)(?:\?.*)?$/;
/** Rights of SMART's first version in letters of its second. https://hl7.org/fhir/smart-app-launch/scopes-and-launch-context.html */
const lettersOf: Record<string, string> = { read: "rs", write: "cud", "*": "cruds" };

type Scope = { type: string; letters: string };

/** What a scope is of and which of create, read, update, delete, search it allows; undefined for one that names no resource. */
export function readScope(scope: string): Scope | undefined {
  const [, type, rights = ""] = pattern.exec(scope) ?? [];
  return type === undefined || rights === "" ? undefined : { type, letters: lettersOf[rights] ?? rights };
}

const each = (scopes: string): string[] => scopes.split(/\s+/).filter(Boolean);
const known = (scopes: string): Scope[] => each(scopes).flatMap((scope) => readScope(scope) ?? []);

/**
 * Nobody is signed in at a backend client, so it asks in the name of the system, each scope once. Scopes of no resource (openid,
 * launch/patient, offline_access) are left out, as they mean nothing there.
 */
export const systemScopes = (scopes: string): string => {
  const ofResources = each(scopes).filter((scope) => readScope(scope));
  return [...new Set(ofResources.map((scope) => scope.replace(/^(?:patient|user)\//, "system/")))].join(" ");
};

/** Whether an answer's scopes say what of resources was granted; some servers name none of them, and then nothing is known. */
export const namesResources = (granted: string): boolean => known(granted).length > 0;

/** Whether all that one set of scopes allows is allowed by the other too, whatever they call it. */
export function scopesCover(granted: string, wanted: string): boolean {
  const held = known(granted);
  return known(wanted).every(({ type, letters }) =>
    [...letters].every((letter) => held.some((one) => (one.type === "*" || one.type === type) && one.letters.includes(letter))),
  );
}
