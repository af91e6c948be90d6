/** Chakra's token shape, `{ name: { value } }`, from a plain table. */
export const scale = <const T extends Record<string, string | number>>(table: T) =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, { value }])) as { [K in keyof T]: { value: T[K] } };

/** A semantic token with one value for each colour mode. */
export const modes = (light: string, dark: string) => ({ value: { _light: light, _dark: dark } });
