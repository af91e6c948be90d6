/** What a voice agent is made to do. Statements about the product: none of them is a measurement. */
export const efficiencyClaims = [
  "Calls are answered at any hour, also while the office is closed.",
  "Callers do not queue: several calls are taken at the same time.",
  "Patients are identified before anything of their record is told.",
  "Appointments are written to your record system during the call.",
  "Calls that need a person reach your staff with the reason noted.",
] as const;
