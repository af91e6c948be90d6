export { findOfficeByNumber, officeWithNumber } from "./by-number.ts";
export { createOffice } from "./create.ts";
export { destinationsFor, hoursOf, templateOf, zoneOf } from "./features.ts";
export { listOffices, officeCards, officeDetail } from "./list.ts";
export { isOpen, lastOpenHour, nextOpening } from "./opening.ts";
export { updateOffice } from "./update.ts";
export { instantOf, wallClock } from "./wall-clock.ts";
