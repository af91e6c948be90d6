import { resourceTypes } from "./resource.ts";

export type Interaction = "create" | "read" | "update" | "search";

const scopePattern = /^system\/(\*|[A-Z][A-Za-z]+)\.(read|write|\*|(?!$)c?r?u?d?s?)$/;
const versionOneRights: Record<string, string> = { read: "rs", write: "cud", "*": "cruds" };
const letters: Record<Interaction, string> = { create: "c", read: "r", update: "u", search: "s" };

/** The granted scopes of a request, or undefined when one of them is not a system scope. */
export function parseScopes(text: string): string[] | undefined {
  const scopes = text.split(" ").filter(Boolean);
  return scopes.length > 0 && scopes.every((scope) => scopePattern.test(scope)) ? scopes : undefined;
}

export function allows(scopes: readonly string[], type: string, interaction: Interaction): boolean {
  return scopes.some((scope) => {
    const [, context, rights = ""] = scopePattern.exec(scope) ?? [];
    return (context === "*" || context === type) && (versionOneRights[rights] ?? rights).includes(letters[interaction]);
  });
}

export const supportedScopes = [
  "system/*.rs",
  ...resourceTypes.map((type) => `system/${type}.rs`),
  "system/Patient.crus",
  "system/Appointment.crus",
];
