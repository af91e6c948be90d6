import type { Platform } from "../platform.ts";

/** What people see last: addresses, accounts, and a request they can paste. */
export function finalBlock({ origin, awsUrl, sandbox, demo }: Platform): string {
  const addresses = [
    "Vitaline is running.",
    "",
    `  Web app       ${origin}`,
    `  Sandbox EHR   ${sandbox.origin}`,
    `  AWS endpoint  ${awsUrl}`,
  ];
  if (!demo)
    return [
      ...addresses,
      "",
      "There are no accounts yet. Create the first administrator:",
      "",
      "  npm run admin -- create --email you@example.org",
      "",
    ].join("\n");
  const { systemAdmin, tenants, patients, outbox } = demo;
  const [tenant] = tenants;
  const [patient] = patients;
  const account = (what: string, email: string, password: string, page: string): string =>
    `  ${what.padEnd(26)}${email.padEnd(26)}${password.padEnd(22)}${origin}${page}`;
  const args = patient && {
    firstName: patient.given,
    lastName: patient.family,
    dateOfBirth: patient.birthDate,
    phoneNumber: patient.phone,
  };
  const body = {
    message: {
      type: "tool-calls",
      call: { id: "my-first-call" },
      toolCallList: [{ id: "call_1", type: "function", function: { name: "verifyPatientIdentity", arguments: args } }],
    },
  };
  return [
    ...addresses,
    `  Outbox        ${outbox}`,
    "",
    account("System administrator", systemAdmin.email, systemAdmin.password, "/admin/login"),
    ...tenants.map(({ name, admin }) => account(name, admin.email, admin.password, "/login")),
    "",
    `Ask it what a voice platform would ask, here whether a caller is a patient of ${tenant?.name}:`,
    "",
    `  curl -s ${origin}/api/vapi/tool-call -H 'Authorization: Bearer ${tenant?.apiKey}' -H 'Content-Type: application/json' -d '${shellQuoted(body)}'`,
    "",
    "Or let a patient phone: npm run call",
    "",
  ].join("\n");
}

/** JSON inside single quotes of a shell. */
const shellQuoted = (body: object): string => JSON.stringify(body).replaceAll("'", String.raw`'\''`);
