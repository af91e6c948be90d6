export type Direction = "ascending" | "descending";
/** How the rows' columns compare, by the names that the address has for them. */
export type SortValues<Row, Name extends string> = Readonly<Record<Name, (row: Row) => string>>;
export type Order<Name extends string> = { name: Name; direction: Direction };

const collator = new Intl.Collator("en-US", { numeric: true, sensitivity: "base" });

/** "email" or, from the end, "-email"; undefined for what names no column. */
export const readOrder = <Name extends string>(text: string | undefined, names: readonly Name[]): Order<Name> | undefined => {
  const isDescending = text?.startsWith("-") ?? false;
  const name = names.find((one) => one === (isDescending ? text?.slice(1) : text));
  return name && { name, direction: isDescending ? "descending" : "ascending" };
};

export const writeOrder = <Name extends string>({ name, direction }: Order<Name>): string =>
  direction === "descending" ? `-${name}` : name;

/** Rows that compare alike keep the order in which they came. */
export const inOrder = <Row, Name extends string>(
  rows: readonly Row[],
  values: SortValues<Row, Name>,
  order: Order<Name> | undefined,
): readonly Row[] => {
  if (!order) return rows;
  const valueOf = values[order.name];
  const sign = order.direction === "ascending" ? 1 : -1;
  return rows.toSorted((a, b) => sign * collator.compare(valueOf(a), valueOf(b)));
};
