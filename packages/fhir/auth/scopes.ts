const pattern = /^(?:patient|user|system)\/(\*|[A-Z][A-Za-z]*)\.(\*|read|write|c?r?u?d?s?)(?:\?.*)?$/;
/** Rights of SMART's first version in letters of its second. https://hl7.org/fhir/smart-app-launch/scopes-and-launch-context.html */
const lettersOf: Record<string, string> = { read: "rs", write: "cud", "*": "cruds" };

type Scope = { type: string; letters: string };

/** What a scope is of and which of create, read, update, delete, search it allows; undefined for one that names no resource. */
export function parseScope(scope: string): Scope | undefined {
  const [, type, rights = ""] = pattern.exec(scope) ?? [];
  return type === undefined || rights === "" ? undefined : { type, letters: lettersOf[rights] ?? rights };
}

const each = (scopes: string): string[] => scopes.split(/\s+/).filter(Boolean);
const known = (scopes: string): Scope[] => each(scopes).flatMap((scope) => parseScope(scope) ?? []);

/**
 * Nobody is signed in at a backend client, so it asks in the name of the system, each scope once. Scopes of no resource (openid,
 * launch/patient, offline_access) are left out, as they mean nothing there.
 */
export const systemScopes = (scopes: string): string => {
  const ofResources = each(scopes).filter((scope) => parseScope(scope));
  return [...new Set(ofResources.map((scope) => scope.replace(/^(?:patient|user)\//, "system/")))].join(" ");
};

/** Whether an answer's scopes say what of resources was granted; some servers name none of them, and then nothing is known. */
export const hasResourceScopes = (granted: string): boolean => known(granted).length > 0;

/** Whether all that one set of scopes allows is allowed by the other too, whatever they call it. */
export function scopesCover(granted: string, wanted: string): boolean {
  const held = known(granted);
  return known(wanted).every(({ type, letters }) =>
    [...letters].every((letter) => held.some((one) => (one.type === "*" || one.type === type) && one.letters.includes(letter))),
  );
}

/** A saved scope: what it is of and allows, whether in the words of SMART's first version, and what it is limited to. */
type Saved = { type: string; letters: string; inWords: boolean; filter: string };

const inWords = /\.(?:read|write|\*)(?:\?|$)/;

function readSaved(scope: string): Saved[] {
  const read = parseScope(scope);
  if (!read) return [];
  const at = scope.indexOf("?");
  return [{ ...read, inWords: inWords.test(scope), filter: at < 0 ? "" : scope.slice(at) }];
}

/** First-version words for the rights that are asked: `*` only where neither word alone does. */
const wordsFor = (letters: string): string => {
  const reads = /[rs]/.test(letters);
  const writes = /[cud]/.test(letters);
  return reads && writes ? "*" : reads ? "read" : "write";
};

/**
 * The scopes to ask a token with, out of the `saved` ones that are the ceiling, for what is `wanted` (SMART scopes of either
 * spelling): in the name of the system, in the spelling that is saved for the type, with the types that are wanted instead of `*`.
 * Undefined when the ceiling does not hold all that is wanted; "" when nothing is.
 */
export function narrowScopes(saved: string, wanted: readonly string[]): string | undefined {
  const ceiling = systemScopes(saved).split(" ").flatMap(readSaved);
  const asked = new Map<string, Set<string>>();
  for (const scope of wanted) {
    const read = parseScope(scope);
    if (!read) return undefined;
    const letters = asked.get(read.type) ?? new Set();
    for (const letter of read.letters) letters.add(letter);
    asked.set(read.type, letters);
  }
  const narrowed: string[] = [];
  for (const [type, letters] of asked) {
    const covers = coveringFor(ceiling, type, letters);
    if (!covers) return undefined;
    narrowed.push(...covers);
  }
  return [...new Set(narrowed)].join(" ");
}

/** What of the ceiling gives the wanted letters of a type: scopes of the type itself before those of all types, limited ones last and together. */
function coveringFor(ceiling: Saved[], type: string, wanted: ReadonlySet<string>): string[] | undefined {
  const held = [...ceiling.filter((one) => one.type === type), ...ceiling.filter((one) => one.type === "*" && type !== "*")];
  const missing = new Set(wanted);
  const scopes: string[] = [];
  const take = (ones: Saved[], isOpen: (letter: string) => boolean): void => {
    for (const { letters, inWords: words, filter } of ones) {
      const given = [...letters].filter(isOpen).join("");
      if (given === "") continue;
      for (const letter of given) missing.delete(letter);
      scopes.push(`system/${type}.${words ? wordsFor(given) : given}${filter}`);
    }
  };
  take(
    held.filter(({ filter }) => filter === ""),
    (letter) => missing.has(letter),
  );
  const left = new Set(missing);
  take(
    held.filter(({ filter }) => filter !== ""),
    (letter) => left.has(letter),
  );
  return missing.size === 0 ? scopes : undefined;
}
