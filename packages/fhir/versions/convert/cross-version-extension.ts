type Extension = { url: string; [value: `value${string}`]: unknown };

const urlOf = (path: string): string => `http://hl7.org/fhir/4.0/StructureDefinition/extension-${path}`;
const extensionsOf = (resource: object): Extension[] =>
  "extension" in resource && Array.isArray(resource.extension) ? (resource.extension as Extension[]) : [];

/**
 * What an older version has no place for travels in HL7's extension for that purpose and is found there again; `kinds` are the
 * fields with their FHIR types. https://hl7.org/fhir/R4/versions.html#extensions
 */
export function crossVersionExtension<Values extends object>(type: string, kinds: Readonly<Record<keyof Values & string, string>>) {
  const fields = Object.entries<string>(kinds).map(([field, kind]) => ({
    field,
    url: urlOf(`${type}.${field}`),
    key: `value${kind}` as const,
  }));
  const byUrl = new Map(fields.map((one) => [one.url, one]));
  return {
    /** Extensions that hold the fields' values, beside those that are there. */
    put(values: Values, resource: object): object {
      const given = new Map<string, unknown>(Object.entries(values));
      const added = fields.flatMap(({ field, url, key }) => (given.get(field) === undefined ? [] : [{ url, [key]: given.get(field) }]));
      return added.length === 0 ? {} : { extension: [...extensionsOf(resource), ...added] };
    },
    /** The fields' values as the extensions hold them. */
    take(resource: object): Values {
      const found = new Map<string, unknown>();
      const others = extensionsOf(resource).filter((one) => {
        const known = byUrl.get(one.url);
        if (known && one[known.key] !== undefined) found.set(known.field, one[known.key]);
        return !known;
      });
      const values = found.size === 0 ? {} : { ...Object.fromEntries(found), extension: others.length ? others : undefined };
      // Whoever wrote the extension wrote what its URL says; a resource's fields are read with the same care.
      return values as Values;
    },
  };
}
