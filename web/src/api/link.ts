/** The cursor of the next page, as a list's Link header has it: `</path?cursor=...>; rel="next"` (RFC 8288). Null on the last page. */
export const nextCursor = (link: string | null): string | null => {
  const address = link === null ? undefined : /<([^>]+)>\s*;\s*rel="next"/.exec(link)?.[1];
  return new URLSearchParams(address?.split("?")[1]).get("cursor");
};
