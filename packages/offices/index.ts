export { findOfficeByNumber, officeWithNumber } from "./phone-number.ts";
export { createOffice, updateOffice } from "./save.ts";
export { destinationsFor, hoursOf, templateOf, zoneOf } from "./effective-settings.ts";
export { listOffices, officeCards, officeDetail } from "./read.ts";
export { isOpen, lastOpenHour, nextOpening, instantOf, wallClock } from "./opening-hours.ts";
