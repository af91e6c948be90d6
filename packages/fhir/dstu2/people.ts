import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import type { Loose } from "../convert/converter.ts";
import { codes } from "../convert/codes.ts";

type Name = Loose<R2.HumanName>;

/** A family name is several parts in DSTU2. https://hl7.org/fhir/DSTU2/datatypes.html#HumanName */
export const nameToR4 = ({ family, _family: _parts, ...same }: Name & { _family?: unknown }): Loose<R4.HumanName> => ({
  ...same,
  // A part that is but an extension is null.
  ...(family && { family: family.filter((part) => part !== null).join(" ") }),
});
export const nameToNative = ({ family, ...same }: Loose<R4.HumanName>): Name => ({
  ...same,
  ...(family !== undefined && { family: [family] }),
});

const contactSystem = codes([
  ["other", "other"],
  ["other", "url"],
  ["other", "sms"],
]);

/** DSTU2 knows neither web addresses nor text messages as ways of contact. */
export const telecomToNative = ({ system, ...same }: Loose<R4.ContactPoint>): Loose<R2.ContactPoint> => ({
  ...same,
  ...(system !== undefined && { system: contactSystem.toNative(system) }),
});

export const addressToNative = ({ use, ...same }: Loose<R4.Address>): Loose<R2.Address> => ({ ...same, ...(use !== "billing" && { use }) });
