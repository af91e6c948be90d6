import type { Tenant } from "@vitaline/contract";
import { organizationTypeNames } from "../../lib/format/labels.ts";
import { hasWords } from "../../lib/format/text.ts";

export const isStatus = (text: string | undefined): text is "active" | "inactive" => text === "active" || text === "inactive";

export const statusOf = ({ isActive }: Tenant): "Active" | "Inactive" => (isActive ? "Active" : "Inactive");

/** Whether what a person looks for organizations by has all words of what they typed. */
export const isFound = ({ name, organizationType, contactEmail }: Tenant, typed: string): boolean =>
  hasWords([name, organizationTypeNames[organizationType], contactEmail], typed);
