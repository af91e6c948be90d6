/** A behaviour's path pattern as a test: `*` is any run of characters, `?` any one; case counts. */
export function pathPattern(pattern: string): (path: string) => boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  const expression = new RegExp(`^${source.startsWith("/") ? "" : "/?"}${source}$`);
  return (path) => expression.test(path);
}
