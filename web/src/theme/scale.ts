/** Chakra's token shape, `{ name: { value } }`. */
export const scale = <const T extends Record<string, string | number>>(table: T) =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, { value }])) as { [K in keyof T]: { value: T[K] } };

export const modes = (light: string, dark: string) => ({ value: { _light: light, _dark: dark } });
