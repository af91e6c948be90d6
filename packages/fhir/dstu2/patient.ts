import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { codes } from "../convert/codes.ts";
import { converter, list } from "../convert/converter.ts";
import { addressToNative, nameToNative, nameToR4, telecomToNative } from "./people.ts";

/** A record that another one replaces is one link type here, two in R4. */
const link = codes([
  ["replace", "replaced-by"],
  ["seealso", "seealso"],
  ["seealso", "replaces"],
]);

/** https://hl7.org/fhir/DSTU2/patient.html */
export const patient = converter<R2.Patient, R4.Patient>(
  "Patient",
  "Patient",
  ({ name, contact, careProvider, link: links, ...same }) => ({
    ...same,
    name: name?.map(nameToR4),
    contact: contact?.map((one) => ({ ...one, name: one.name && nameToR4(one.name) })),
    generalPractitioner: list(careProvider),
    link: links?.map((one) => ({ ...one, type: link.toR4(one.type) })),
  }),
  ({ name, telecom, address, contact, generalPractitioner, link: links, ...same }) => ({
    ...same,
    name: name?.map(nameToNative),
    telecom: telecom?.map(telecomToNative),
    address: address?.map(addressToNative),
    contact: contact?.map((one) => ({
      ...one,
      name: one.name && nameToNative(one.name),
      telecom: one.telecom?.map(telecomToNative),
      address: one.address && addressToNative(one.address),
    })),
    careProvider: generalPractitioner,
    link: links?.map((one) => ({ ...one, type: link.toNative(one.type) })),
  }),
);
