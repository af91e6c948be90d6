import BellRing from "lucide-react/dist/esm/icons/bell-ring.mjs";
import CalendarCheck from "lucide-react/dist/esm/icons/calendar-check.mjs";
import Pill from "lucide-react/dist/esm/icons/pill.mjs";
import ShieldCheck from "lucide-react/dist/esm/icons/shield-check.mjs";
import UserCheck from "lucide-react/dist/esm/icons/user-check.mjs";
import UserPlus from "lucide-react/dist/esm/icons/user-plus.mjs";

export const endpoints = [
  { route: "POST /api/vapi/tool-call", text: "Runs the tools that a Vapi assistant asks for" },
  { route: "POST /api/vapi/call-summary", text: "Receives the report of a call after it has ended" },
  { route: "POST /api/vapi/server", text: "Receives every event of a call, from ringing to report" },
  { route: "GET /api/dashboard/metrics", text: "Counts tenants, users and calls for those who run the platform" },
] as const;

export const parts = [
  {
    title: "Core Platform",
    text: "Every organization has its own administrators, key, offices and call records, kept separate from all others.",
  },
  {
    title: "VAPI Integration",
    text: "A Vapi assistant calls one address to learn who is speaking, read their record and book their visit. Any MCP-compatible platform can, too.",
  },
  {
    title: "Services Ready",
    text: "Patients, charts, insurance, appointments and messages work with your EHR from the first call, with nothing to install at the clinic.",
  },
] as const;

export const tasks = [
  { icon: CalendarCheck, title: "Scheduling", text: "Finds a free slot, books it, and confirms it before the caller hangs up." },
  { icon: Pill, title: "Prescription refills", text: "Reads the medication history and passes the request to the practice." },
  { icon: ShieldCheck, title: "Insurance verification", text: "Checks the coverage on file, and asks the insurer where your EHR can." },
  { icon: UserCheck, title: "Identity verification", text: "Callers hear about a record only after they prove that it is theirs." },
  { icon: UserPlus, title: "Lead capture", text: "New callers are kept with name and reason, ready for a callback." },
  { icon: BellRing, title: "Reminders", text: "Texts and emails go out ahead of a visit, to the contact on file." },
] as const;

export const organizations = ["Hospitals", "Clinics", "Private practices", "Urgent care", "Specialty centers", "Telehealth"] as const;

export const integrations = [
  { title: "EHR systems", text: "SMART on FHIR in R4, STU3 and DSTU2: Epic, Oracle Health and any server that speaks it." },
  { title: "SMS provider", text: "Confirmations and reminders as text messages, with opt-out and quiet hours kept." },
  { title: "Email provider", text: "Follow-ups in your organization's words, sent to the address in the record." },
  { title: "Calendar service", text: "Booked visits appear in the calendars your team already looks at." },
  { title: "Customer-relationship tools", text: "Leads reach them by signed webhook the moment they come in, or as a CSV file." },
] as const;

/** A deployment must list only true claims. */
export const privacyClaims = [
  "Identity is verified by the server before any patient data is read, not by a prompt",
  "Encrypted in transit and at rest, and sealed separately for each organization",
  "Tokens for the EHR are narrowed to what each tool needs",
  "Administrators are signed out after 15 minutes without activity",
] as const;

export const complianceClaims = [
  "Every access to a patient's record leaves an audit entry with actor, action and time",
  "The log is a hash chain in write-once storage: what was altered shows",
  "Seven years of retention",
  "Audit reports as CSV, JSON or PDF, for the dates you choose",
] as const;

export const facts = [
  { figure: "24-48 hours", text: "from contract to first call" },
  { figure: "14 tools", text: "one address for every voice platform" },
  { figure: "R4 · STU3 · DSTU2", text: "FHIR as your EHR speaks it" },
  { figure: "7 years", text: "of audit log, protected from change" },
] as const;
