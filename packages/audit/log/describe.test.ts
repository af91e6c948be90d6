import { auditCategories, type AuditRow } from "@vitaline/store";
import fc from "fast-check";
import { expect, test } from "vitest";
import { auditClasses, classify } from "./classification.ts";
import { actionText, describeAction, levelOf } from "./describe.ts";

type DescribedFields = Pick<AuditRow, "action" | "actorKind" | "category" | "success" | "code">;
const did = (action: string, more: Partial<DescribedFields> = {}): DescribedFields => ({
  action,
  actorKind: "user",
  category: "configuration_change",
  success: true,
  ...more,
});

test("a description is one sentence with the kinds of actor, action and resource", () => {
  const sentences: [DescribedFields, string][] = [
    [did("session.login"), "A user signed in."],
    [
      did("session.login", { actorKind: "nobody", success: false, code: "invalid_credentials" }),
      "An unauthenticated client tried to sign in and failed: invalid credentials.",
    ],
    [did("call.found"), "A user found a call in a search."],
    [did("call.followUp"), "A user followed up on a call."],
    [did("call.transfer", { actorKind: "voice_provider" }), "A voice platform transferred a call."],
    [did("call.hangUp", { actorKind: "voice_provider" }), "A voice platform hung up a call."],
    [did("toDo.update"), "A user changed a to-do item."],
    [did("office.create"), "A user created an office."],
    [did("user.update"), "A user updated a user."],
    [did("apiKey.rotate"), "A user rotated an API key."],
    [did("fhirProvider.test", { success: false, code: "ehr_timeout" }), "A user tried to test a FHIR provider and failed: EHR timeout."],
    [did("tool.getPatientInfo", { actorKind: "api_key" }), "A voice platform ran the tool getPatientInfo."],
    [did("lead.read", { actorKind: "system" }), "The platform read a lead."],
    [did("erasure.request"), "A user asked for an erasure."],
    [did("erasure.writeCopy", { actorKind: "system" }), "The platform wrote a copy of the data to erase."],
    [did("erasure.done", { actorKind: "system" }), "The platform finished an erasure."],
    [
      did("access.refuse", { success: false, code: "forbidden" }),
      "A user tried to do what their role does not allow and failed: forbidden.",
    ],
  ];
  for (const [told, sentence] of sentences) expect(describeAction(told)).toBe(sentence);
});

test("an emergency is told as one, and not as a failure of the tool", () => {
  const asked = did("tool.scheduleAppointment", { actorKind: "voice_provider", category: "api_call", success: false, code: "emergency" });
  expect([describeAction(asked), actionText(asked), levelOf(asked)]).toEqual([
    "A voice platform reported an emergency; the tool scheduleAppointment was not run.",
    "Reported an emergency; the tool scheduleAppointment was not run",
    "INFO",
  ]);
  const unknown = { ...asked, action: "tool.emergency" };
  expect([describeAction(unknown), actionText(unknown)]).toEqual(["A voice platform reported an emergency.", "Reported an emergency"]);
});

test("denied access is an error, another failure or a credential change a warning, everything else information", () => {
  expect(levelOf(did("session.login", { success: false, code: "invalid_credentials" }))).toBe("ERROR");
  expect(levelOf(did("tool.getPatientInfo", { success: false, code: "identity_required" }))).toBe("ERROR");
  expect(levelOf(did("tool.getPatientInfo", { success: false, code: "ehr_timeout" }))).toBe("WARN");
  expect(levelOf(did("platformKey.generate"))).toBe("WARN");
  expect(levelOf(did("user.resetPassword"))).toBe("WARN");
  expect(levelOf(did("apiKey.reveal"))).toBe("INFO");
  expect(levelOf(did("office.create"))).toBe("INFO");
});

test("every row has one class, and each of the six classes has rows", () => {
  const rows: [DescribedFields, string][] = [
    [did("session.logout"), "login"],
    [did("tool.getPatientInfo", { category: "patient_access" }), "patient_data_access"],
    [did("fhirProvider.test", { category: "api_call" }), "fhir_interaction"],
    [did("tool.logRoutingEvent", { category: "api_call" }), "voice_conversation"],
    [did("tenant.update"), "admin_action"],
    [did("apiKey.revoke"), "security_event"],
    [did("session.login", { success: false, code: "invalid_credentials" }), "security_event"],
  ];
  expect(rows.map(([told]) => classify(told))).toEqual(rows.map(([, name]) => name));
  expect(new Set(rows.map(([, name]) => name)).size).toBe(auditClasses.length);
  const word = fc.constantFrom("session", "tool", "user", "apiKey", "office", "lead", "x", "");
  fc.assert(
    fc.property(word, word, fc.constantFrom(...auditCategories), fc.boolean(), (noun, verb, category, success) => {
      const told = did(`${noun}.${verb}`, { category, success });
      expect(auditClasses).toContain(classify(told));
      expect(describeAction(told)).toMatch(/^[A-Z].*\.$/);
    }),
  );
});

test("an action's text has no actor, and a failed action was only tried", () => {
  const words = ["session.login", "office.create", "webhook.replay", "user.deactivate", "tenant.settings", "tool.getPatientInfo", "odd"];
  expect(words.map((action) => actionText({ action, success: true }))).toEqual([
    "Signed in",
    "Created an office",
    "Replayed a webhook",
    "Deactivated a user",
    "Changed the organization's settings",
    "Ran the tool getPatientInfo",
    expect.any(String),
  ]);
  expect(["session.login", "office.create"].map((action) => actionText({ action, success: false }))).toEqual([
    "Tried to sign in",
    "Tried to create an office",
  ]);
});

test("a change of settings names what was changed, and one of a row without names says what it can", () => {
  const changed = (action: string, names: string) => actionText({ action, success: true, detail: { changed: names } });
  expect([
    changed("tenant.settings", "facts.holidays"),
    changed("tenant.contactPreferences", "contactPreferences.businessHours.start,contactPreferences.businessHours.days,timeZone"),
    changed("tenant.update", "name,plan.name,plan.monthlyPrice,policies.retention.calls"),
    changed("office.update", "phone"),
    changed("tenant.update", "name,address,description,hourlyWage,timeZone"),
    changed("tenant.contactPreferences", "contactPreferences"),
    actionText({ action: "tenant.contactPreferences", success: true }),
  ]).toEqual([
    "Changed the organization's holidays",
    "Changed the organization's hours and time zone",
    "Changed the organization's name, plan, and retention periods",
    "Changed an office's phone",
    "Changed the organization's settings",
    "Changed the organization's contact preferences",
    "Changed the contact preferences",
  ]);
});

test("a key that is read for a test call is not told as one that was shown", () => {
  const read = (detail?: Record<string, string>) => ({ ...did("apiKey.reveal"), ...(detail && { detail }) });
  expect([read(), read({ purpose: "test_call" })].map(actionText)).toEqual([
    "Revealed an API key",
    "Read an API key for a test call in the browser",
  ]);
  expect(describeAction(read({ purpose: "test_call" }))).toBe("A user read an API key for a test call in the browser.");
});
