export { destinationsFor, effectiveFacts, hoursOf, templateOf, timeZoneOf, defaultLanguageOf } from "./effective-settings.ts";
export { isOpen, lastOpenHour, nextOpening, openingOn, type OpeningHours } from "./opening-hours.ts";
export { listOffices, officeCards, officeDetail } from "./read.ts";
export { createOffice, updateOffice } from "./save.ts";

export type { OfficeNumberRows } from "./phone-number.ts";

type PhoneNumbers = typeof import("./phone-number.ts");
/** The countries' numbering plans are loaded for the first number. */
const phoneNumbers = (): Promise<PhoneNumbers> => import("./phone-number.ts");

export const findOfficeIdByNumber: PhoneNumbers["findOfficeIdByNumber"] = async (...given) =>
  (await phoneNumbers()).findOfficeIdByNumber(...given);
export const officeNumberKeys = async (
  ...given: Parameters<PhoneNumbers["officeNumberKeys"]>
): Promise<ReturnType<PhoneNumbers["officeNumberKeys"]>> => (await phoneNumbers()).officeNumberKeys(...given);
export const officeWithNumber = async (
  ...given: Parameters<PhoneNumbers["officeWithNumber"]>
): Promise<ReturnType<PhoneNumbers["officeWithNumber"]>> => (await phoneNumbers()).officeWithNumber(...given);
