export { destinationsFor, effectiveFacts, hoursOf, templateOf, timeZoneOf, usualLanguageOf } from "./effective-settings.ts";
export { isOpen, lastOpenHour, nextOpening, openingOn, type OpeningHours } from "./opening-hours.ts";
export { findOfficeIdByNumber, officeNumberKeys, officeWithNumber, type OfficeNumberRows } from "./phone-number.ts";
export { listOffices, officeCards, officeDetail } from "./read.ts";
export { createOffice, updateOffice } from "./save.ts";
