import type { OrganizationType } from "@vitaline/contract";

/** As people say it. */
export const organizationTypeNames: Record<OrganizationType, string> = {
  hospital: "Hospital",
  clinic: "Clinic",
  private_practice: "Private practice",
  urgent_care: "Urgent care",
  specialty_center: "Specialty center",
  telehealth: "Telehealth",
};
