import type { AuditLevel } from "@vitaline/contract";
import type { AuditRow } from "@vitaline/store";
import { classify, isRefused, resultOf } from "./classification.ts";

type ActionFields = Pick<AuditRow, "action" | "success" | "code" | "detail">;
type DescribedFields = ActionFields & Pick<AuditRow, "actorKind" | "category">;

const actors: Readonly<Record<string, string>> = {
  user: "A user",
  api_key: "A voice platform",
  voice_provider: "A voice platform",
  system: "The platform",
  nobody: "An unauthenticated client",
};

const phrases: Readonly<Record<string, readonly [trying: string, done: string]>> = {
  "session.login": ["sign in", "signed in"],
  "session.logout": ["sign out", "signed out"],
  "session.logoutEverywhere": ["sign out everywhere", "signed out everywhere"],
  "session.askCode": ["ask for a code to sign in with", "asked for a code to sign in with"],
  "session.viewAs": ["look at a tenant's screens", "looked at a tenant's screens"],
  "access.refuse": ["do what their role does not allow", "did what their role does not allow"],
  "audit.read": ["read the audit log", "read the audit log"],
  "audit.export": ["export the audit log", "exported the audit log"],
  "audit.exportReady": ["write an export of the audit log", "wrote an export of the audit log"],
  "audit.download": ["download an export of the audit log", "downloaded an export of the audit log"],
  "accessReport.request": ["request a report of accesses", "requested a report of accesses"],
  "accessReport.list": ["list the reports of accesses", "listed the reports of accesses"],
  "accessReport.ready": ["write a report of accesses", "wrote a report of accesses"],
  "accessReport.read": ["read a report of accesses", "read a report of accesses"],
  "accessReport.download": ["download a report of accesses", "downloaded a report of accesses"],
  "audit.restore": ["restore rows of the audit log", "restored rows of the audit log"],
  "call.conversation": ["hold a conversation", "held a conversation"],
  "call.followUp": ["follow up on a call", "followed up on a call"],
  "call.found": ["find a call in a search", "found a call in a search"],
  "call.search": ["search the calls", "searched the calls"],
  "callViews.save": ["save views of the calls", "saved views of the calls"],
  "notices.update": ["change what they are told by mail", "changed what they are told by mail"],
  "toDo.read": ["read a to-do item", "read a to-do item"],
  "toDo.update": ["change a to-do item", "changed a to-do item"],
  "patient.search": ["search for a patient", "searched for a patient"],
  "tenant.settings": ["change the organization's settings", "changed the organization's settings"],
  "tenant.contactPreferences": ["change the contact preferences", "changed the contact preferences"],
  "retention.apply": ["apply the retention periods", "applied the retention periods"],
  "user.forgotPassword": ["ask for a new password", "asked for a new password"],
  "user.resetPassword": ["set a new password", "set a new password"],
  "user.changePassword": ["change a password", "changed a password"],
  "user.acceptInvite": ["accept an invitation", "accepted an invitation"],
  "user.enrollTotp": ["set up a second factor", "began to set up a second factor"],
  "user.confirmTotp": ["confirm a second factor", "confirmed a second factor"],
  "user.resetTotp": ["reset a user's second factor", "reset a user's second factor"],
  "user.removeTotp": ["remove a second factor", "removed a second factor"],
  "erasure.request": ["ask for an erasure", "asked for an erasure"],
  "erasure.begin": ["begin an erasure", "began an erasure"],
  "erasure.writeCopy": ["write a copy of the data to erase", "wrote a copy of the data to erase"],
  "erasure.downloadCopy": ["download a copy of erased data", "downloaded a copy of erased data"],
  "erasure.erase": ["erase data", "erased data"],
  "erasure.eraseAgain": ["erase late data", "erased late data"],
  "erasure.done": ["finish an erasure", "finished an erasure"],
  "erasure.replay": ["repeat an erasure", "repeated an erasure"],
  "operatorRequest.reply": ["reply about a request to the platform", "replied about a request to the platform"],
  "tool.emergency": ["report an emergency", "reported an emergency"],
  "tool.settle": ["settle a tool run", "settled a tool run"],
};

const abbreviations: Readonly<Record<string, string>> = { api: "API", fhir: "FHIR", ehr: "EHR" };
const irregular: Readonly<Record<string, string>> = {
  read: "read",
  reset: "reset",
  send: "sent",
  set: "set",
  put: "put",
  begin: "began",
  hang: "hung",
  transfer: "transferred",
};

const splitWords = (camel: string): string =>
  camel
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_-]+/)
    .map((word) => abbreviations[word] ?? word)
    .join(" ");

const pastTense = (verb: string): string => {
  const [first = "", ...rest] = verb.split(" ");
  const done =
    irregular[first] ?? (first.endsWith("e") ? `${first}d` : /[^aeiou]y$/.test(first) ? `${first.slice(0, -1)}ied` : `${first}ed`);
  return [done, ...rest].join(" ");
};

const withArticle = (noun: string): string => `${/^[aeio]/i.test(noun) ? "an" : "a"} ${noun}`;

const phrasesOf = (action: string): readonly [trying: string, done: string] => {
  const known = phrases[action];
  if (known) return known;
  const [noun = "", verb = ""] = action.split(/\.(.*)/s);
  if (noun === "tool") return [`run the tool ${verb}`, `ran the tool ${verb}`];
  const object = withArticle(splitWords(noun));
  return [`${splitWords(verb)} ${object}`, `${pastTense(splitWords(verb))} ${object}`];
};

/** Whose changes name what was changed. */
const changedOwners: Readonly<Record<string, string>> = {
  "tenant.update": "the organization's",
  "tenant.settings": "the organization's",
  "tenant.contactPreferences": "the organization's",
  "office.update": "an office's",
};

/** By the beginning of a changed field's name; other names are their own words. */
const changedWords: readonly (readonly [start: string, words: string])[] = [
  ["contactPreferences.businessHours.timezone", "time zone"],
  ["contactPreferences.businessHours.breaks", "breaks"],
  ["contactPreferences.businessHours", "hours"],
  ["contactPreferences.emailEnabled", "emails"],
  ["contactPreferences.smsEnabled", "texts"],
  ["contactPreferences.phoneEnabled", "phone calls"],
  ["contactPreferences.defaultMethod", "preferred way of contact"],
  ["businessHours.timezone", "time zone"],
  ["businessHours.breaks", "breaks"],
  ["businessHours", "hours"],
  ["messageTemplates", "message texts"],
  ["spanishMessageTemplates", "Spanish message texts"],
  ["policies.retention", "retention periods"],
  ["policies.toolLevels", "tool levels"],
  ["policies.minors", "rules for minors"],
  ["policies.requireTotp", "two-factor rule"],
  ["policies", "rules"],
  ["plan", "plan"],
  ["isActive", "status"],
  ["fhirProviderId", "record system"],
];

const changedWordsOf = (name: string): string =>
  changedWords.find(([start]) => name === start || name.startsWith(`${start}.`))?.[1] ?? splitWords(name.split(".").at(-1) ?? name);

/** More than these are only in the row's detail. */
const maxNamed = 4;
const list = new Intl.ListFormat("en-US", { type: "conjunction" });

/** "changed the organization's holidays and parking" */
const namedChange = ({ action, detail }: ActionFields): string | undefined => {
  const owner = changedOwners[action];
  const changed = detail?.["changed"];
  if (owner === undefined || typeof changed !== "string" || changed === "") return undefined;
  const words = [...new Set(changed.split(",").map(changedWordsOf))];
  return `changed ${owner} ${words.length > maxNamed ? "settings" : list.format(words)}`;
};

/** A key that was read to be used, not to be shown. */
const keyForTestCall = ({ action, detail }: ActionFields): string | undefined =>
  action === "apiKey.reveal" && detail?.["purpose"] === "test_call" ? "read an API key for a test call in the browser" : undefined;

const doneOf = (row: ActionFields): string => namedChange(row) ?? keyForTestCall(row) ?? phrasesOf(row.action)[1];

const reportedEmergency = (action: string): string => {
  const [, reported] = phrasesOf("tool.emergency");
  return action === "tool.emergency" ? reported : `${reported}; the tool ${action.replace(/^tool\./, "")} was not run`;
};

/** "Created an office", or "Tried to create an office" if it failed. */
export function actionText(row: ActionFields): string {
  const { action } = row;
  const result = resultOf(row);
  const words =
    result === "emergency" ? reportedEmergency(action) : result === "success" ? doneOf(row) : `tried to ${phrasesOf(action)[0]}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One sentence without names or ids, such as "A user created an office." */
export function describeAction(row: DescribedFields): string {
  const { action, actorKind, code } = row;
  const actor = actors[actorKind] ?? "Someone";
  switch (resultOf(row)) {
    case "success":
      return `${actor} ${doneOf(row)}.`;
    case "emergency":
      return `${actor} ${reportedEmergency(action)}.`;
    case "failure":
      return `${actor} tried to ${phrasesOf(action)[0]} and failed${code === undefined ? "" : `: ${splitWords(code)}`}.`;
  }
}

/** ERROR: denied access. WARN: another failure, or a security event. INFO: everything else. */
export const levelOf = (row: DescribedFields): AuditLevel =>
  isRefused(row) ? "ERROR" : resultOf(row) === "failure" || classify(row) === "security_event" ? "WARN" : "INFO";
