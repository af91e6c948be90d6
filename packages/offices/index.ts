export { destinationsFor, effectiveFacts, hoursOf, templateOf, timeZoneOf, usualLanguageOf } from "./effective-settings.ts";
export { isOpen, lastOpenHour, nextOpening, openingOn, type OpeningHours } from "./opening-hours.ts";
export { listOffices, officeCards, officeDetail } from "./read.ts";
export { createOffice, updateOffice } from "./save.ts";

type PhoneNumbers = typeof import("./phone-number.ts");
/** The countries' numbering plans are loaded for the first number. */
export const findOfficeByNumber: PhoneNumbers["findOfficeByNumber"] = async (...given) =>
  (await import("./phone-number.ts")).findOfficeByNumber(...given);
export const officeWithNumber = async (
  ...given: Parameters<PhoneNumbers["officeWithNumber"]>
): Promise<ReturnType<PhoneNumbers["officeWithNumber"]>> => (await import("./phone-number.ts")).officeWithNumber(...given);
