import type { Address } from "fhir/r4.js";
import { tidyText } from "./tidy-text.ts";

const names =
  "AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming";

const codes = new Map(
  names.split("|").flatMap((entry): [string, string][] => {
    const code = entry.slice(0, 2);
    return [
      [code.toLowerCase(), code],
      [entry.slice(3).toLowerCase(), code],
    ];
  }),
);

const plain = (text: string): string => text.trim().toLowerCase().replaceAll(".", "").replace(/\s+/g, " ");

/** "Illinois", "il" → "IL". */
export const stateCode = (text: string): string | undefined => codes.get(plain(text));

const maxStateWords = 3;

/** "Springfield, New York" → ["Springfield,", "NY"]. A state alone is not split off. */
function splitOffState(text: string): [rest: string, state?: string] {
  const words = text.trim().split(/\s+/);
  for (let count = Math.min(maxStateWords, words.length - 1); count > 0; count--) {
    const state = stateCode(words.slice(-count).join(" "));
    if (state) return [words.slice(0, -count).join(" "), state];
  }
  return [text];
}

type SpokenAddress = { street?: string; city?: string; state?: string; zipCode?: string; address?: string };

/** "12 Main Street, Apartment 3, Springfield, Illinois 62704" → its parts. */
export function parseAddressLine(line: string): SpokenAddress {
  const [, before = line, zip] = /^(.*?)[,\s]*\b(\d{5}(?:-\d{4})?)$/.exec(line) ?? [];
  const [place, state] = splitOffState(before.replace(/[,\s]+$/, ""));
  const parts = place
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  const city = parts.length > 1 ? parts.pop() : undefined;
  return {
    ...(parts.length > 0 ? { street: tidyText(parts.join(", ")) } : {}),
    ...(city ? { city: tidyText(city) } : {}),
    ...(state ? { state } : {}),
    ...(zip ? { zipCode: zip } : {}),
  };
}

/** Separate fields take precedence over the line; undefined if all are empty. */
export function toFhirAddress({ address, ...said }: SpokenAddress): Address | undefined {
  const parts = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as SpokenAddress;
  const { street, city, state, zipCode } = { ...(address ? parseAddressLine(address) : {}), ...parts };
  if (!street && !city && !state && !zipCode) return undefined;
  return {
    ...(street ? { line: [street] } : {}),
    ...(city ? { city } : {}),
    ...(state ? { state } : {}),
    ...(zipCode ? { postalCode: zipCode } : {}),
  };
}
