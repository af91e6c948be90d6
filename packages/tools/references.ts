/** "Slot" and the id of "https://ehr.example/r4/Slot/17/_history/2" or "Slot/17". */
export const idIn = (reference: string | undefined, type: string): string | undefined =>
  new RegExp(`(?:^|/)${type}/([A-Za-z0-9._-]+)(?:/_history/[^/]+)?$`).exec(reference ?? "")?.[1];
