import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { converter, list } from "../convert/converter.ts";
import { nameToR4 } from "./people.ts";

/** https://hl7.org/fhir/DSTU2/location.html: one type. */
export const location = converter<R2.Location, R4.Location>("Location", "Location", ({ type, ...same }) => ({ ...same, type: list(type) }));

/** https://hl7.org/fhir/DSTU2/organization.html */
export const organization = converter<R2.Organization, R4.Organization>("Organization", "Organization", ({ type, contact, ...same }) => ({
  ...same,
  type: list(type),
  contact: contact?.map((one) => ({ ...one, name: one.name && nameToR4(one.name) })),
}));
