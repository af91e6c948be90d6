import type * as R4 from "fhir/r4.js";
import type * as R3 from "fhir/r3.js";
import { converter, list } from "../convert/converter.ts";

/** https://hl7.org/fhir/STU3/location.html: one type. */
export const location = converter<R3.Location, R4.Location>("Location", "Location", ({ type, ...same }) => ({ ...same, type: list(type) }));
