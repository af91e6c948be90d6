import { ehrError } from "../http/errors.ts";

/** FHIR ids and the longer ones of real servers; never "." or "..". */
const idPattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/;

export const isId = (id: string): boolean => idPattern.test(id);

/** AppError `ehr_not_found` for an invalid id. */
export function resourceUrl(baseUrl: string, type: string, id: string): string {
  if (!isId(id)) throw ehrError("ehr_not_found");
  return `${baseUrl}/${type}/${id}`;
}

/** The id in a Location such as https://ehr.example/r4/Appointment/17/_history/1. The URL itself is never called. */
export function idInLocation(location: string | undefined, type: string): string | undefined {
  const [, id] = new RegExp(`(?:^|/)${type}/([^/?#]+)(?:/_history/[^/?#]+)?$`).exec(location ?? "") ?? [];
  return id !== undefined && isId(id) ? id : undefined;
}

/** The absolute URL of a page link. The access token is sent to it, so a link outside the base URL is AppError `ehr_invalid`. */
export function pageUrl(baseUrl: string, link: string): string {
  const base = new URL(`${baseUrl}/`);
  const page = URL.canParse(link, base) ? new URL(link, base) : undefined;
  const below = page && (page.pathname.startsWith(base.pathname) || `${page.pathname}/` === base.pathname);
  if (!page || !below || page.origin !== base.origin || page.username || page.password) throw ehrError("ehr_invalid");
  return page.href;
}
