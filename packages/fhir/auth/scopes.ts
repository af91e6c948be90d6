const pattern = /^(?:patient|user|system)\/(\*|[A-Z][A-Za-z]*)\.(\*|read|write|c?r?u?d?s?)(?:\?.*)?$/;
/** SMART v1 rights as v2 letters. https://hl7.org/fhir/smart-app-launch/scopes-and-launch-context.html */
const lettersOf: Record<string, string> = { read: "rs", write: "cud", "*": "cruds" };

/** `letters`: which of create, read, update, delete, search are allowed. */
type Scope = { type: string; letters: string };

/** Undefined for a scope that names no resource, such as openid. */
export function parseScope(scope: string): Scope | undefined {
  const [, type, rights = ""] = pattern.exec(scope) ?? [];
  return type === undefined || rights === "" ? undefined : { type, letters: lettersOf[rights] ?? rights };
}

const splitScopes = (scopes: string): string[] => scopes.split(/\s+/).filter(Boolean);
const parseScopes = (scopes: string): Scope[] => splitScopes(scopes).flatMap((scope) => parseScope(scope) ?? []);

/** The resource scopes as system/ scopes, each once: a backend client has no signed-in user. */
export const systemScopes = (scopes: string): string => {
  const ofResources = splitScopes(scopes).filter((scope) => parseScope(scope));
  return [...new Set(ofResources.map((scope) => scope.replace(/^(?:patient|user)\//, "system/")))].join(" ");
};

/** Some servers name no resource scopes in a token response; then the granted rights are unknown. */
export const hasResourceScopes = (granted: string): boolean => parseScopes(granted).length > 0;

/** Whether `granted` allows all that `wanted` allows, in either SMART spelling. */
export function scopesCover(granted: string, wanted: string): boolean {
  const available = parseScopes(granted);
  return parseScopes(wanted).every(({ type, letters }) =>
    [...letters].every((letter) => available.some((one) => (one.type === "*" || one.type === type) && one.letters.includes(letter))),
  );
}

/** `isV1`: spelled read, write or *. `filter`: the query of a limited scope, such as "?category=vital-signs". */
type SavedScope = Scope & { isV1: boolean; filter: string };

const v1Spelling = /\.(?:read|write|\*)(?:\?|$)/;

function parseSavedScope(scope: string): SavedScope[] {
  const parsed = parseScope(scope);
  if (!parsed) return [];
  const at = scope.indexOf("?");
  return [{ ...parsed, isV1: v1Spelling.test(scope), filter: at < 0 ? "" : scope.slice(at) }];
}

/** `*` only where neither read nor write alone is enough. */
const v1Right = (letters: string): string => {
  const reads = /[rs]/.test(letters);
  const writes = /[cud]/.test(letters);
  return reads && writes ? "*" : reads ? "read" : "write";
};

/**
 * The system/ scopes to request for `wanted` (either spelling), limited to the `saved` ones, in their spelling and with the wanted
 * types instead of `*`. Undefined when `saved` does not cover `wanted`; "" when nothing is wanted.
 */
export function narrowScopes(saved: string, wanted: readonly string[]): string | undefined {
  const available = systemScopes(saved).split(" ").flatMap(parseSavedScope);
  const wantedByType = new Map<string, Set<string>>();
  for (const scope of wanted) {
    const parsed = parseScope(scope);
    if (!parsed) return undefined;
    const letters = wantedByType.get(parsed.type) ?? new Set();
    for (const letter of parsed.letters) letters.add(letter);
    wantedByType.set(parsed.type, letters);
  }
  const narrowed: string[] = [];
  for (const [type, letters] of wantedByType) {
    const covering = coveringScopes(available, type, letters);
    if (!covering) return undefined;
    narrowed.push(...covering);
  }
  return [...new Set(narrowed)].join(" ");
}

/** Scopes of the type come before those of all types, and unlimited ones before limited ones, which are requested together. */
function coveringScopes(available: SavedScope[], type: string, wanted: ReadonlySet<string>): string[] | undefined {
  const candidates = [...available.filter((one) => one.type === type), ...available.filter((one) => one.type === "*" && type !== "*")];
  const missing = new Set(wanted);
  const scopes: string[] = [];
  const take = (ones: SavedScope[], isMissing: (letter: string) => boolean): void => {
    for (const { letters, isV1, filter } of ones) {
      const covered = [...letters].filter(isMissing).join("");
      if (covered === "") continue;
      for (const letter of covered) missing.delete(letter);
      scopes.push(`system/${type}.${isV1 ? v1Right(covered) : covered}${filter}`);
    }
  };
  take(
    candidates.filter(({ filter }) => filter === ""),
    (letter) => missing.has(letter),
  );
  const left = new Set(missing);
  take(
    candidates.filter(({ filter }) => filter !== ""),
    (letter) => left.has(letter),
  );
  return missing.size === 0 ? scopes : undefined;
}
