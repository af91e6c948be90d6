type Extension = { url: string; [value: `value${string}`]: unknown };

const extensionUrl = (path: string): string => `http://hl7.org/fhir/4.0/StructureDefinition/extension-${path}`;
const extensionsOf = (resource: object): Extension[] =>
  "extension" in resource && Array.isArray(resource.extension) ? (resource.extension as Extension[]) : [];

/**
 * R4 elements that the native version lacks, stored in HL7's cross-version extensions. `kinds`: the FHIR type of each field, as in
 * "value[x]". https://hl7.org/fhir/R4/versions.html#extensions
 */
export function crossVersionExtension<Values extends object>(type: string, kinds: Readonly<Record<keyof Values & string, string>>) {
  const fields = Object.entries<string>(kinds).map(([field, kind]) => ({
    field,
    url: extensionUrl(`${type}.${field}`),
    key: `value${kind}` as const,
  }));
  const byUrl = new Map(fields.map((one) => [one.url, one]));
  return {
    /** The `extension` field with the values added to those of the resource; empty when there are none to add. */
    write(values: Values, resource: object): object {
      const given = new Map<string, unknown>(Object.entries(values));
      const added = fields.flatMap(({ field, url, key }) => (given.get(field) === undefined ? [] : [{ url, [key]: given.get(field) }]));
      return added.length === 0 ? {} : { extension: [...extensionsOf(resource), ...added] };
    },
    /** The values found, with `extension` reduced to the other extensions; the cast trusts the extensions' value types. */
    read(resource: object): Values {
      const found = new Map<string, unknown>();
      const others = extensionsOf(resource).filter((one) => {
        const known = byUrl.get(one.url);
        if (known && one[known.key] !== undefined) found.set(known.field, one[known.key]);
        return !known;
      });
      return (found.size === 0 ? {} : { ...Object.fromEntries(found), extension: others.length ? others : undefined }) as Values;
    },
  };
}
