import type { Tenant } from "@vitaline/contract";
import { organizationTypeNames } from "../../format/organization-types.ts";

export const isStatus = (text: string | undefined): text is "active" | "inactive" => text === "active" || text === "inactive";

export const statusOf = ({ isActive }: Tenant): "Active" | "Inactive" => (isActive ? "Active" : "Inactive");

/** Whether one of the texts that a person looks for organizations by has all words of what they typed. */
export const isFound = ({ name, organizationType, contactEmail }: Tenant, typed: string): boolean => {
  const text = `${name} ${organizationTypeNames[organizationType]} ${contactEmail}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
