/** `where` is the place at which a reader can see that `text` holds; names of the screen are quoted, and a test looks for them there. */
export type Safeguard = { title: string; text: string; where: string };

export const safeguards: readonly { title: string; items: readonly Safeguard[] }[] = [
  {
    title: "On the phone",
    items: [
      {
        title: "The server verifies the caller, not the prompt",
        text: "Appointments and messages need full name, date of birth and one more detail on file. Medications, results, insurance and new contact details need a second one or a one-time code. Until then a tool refuses, even if the voice model was talked into asking. Wrong answers are counted, and the caller is never told which detail was wrong.",
        where: "“API Keys”, “Available tools”: the level of each tool. A call's details: each tool that it used.",
      },
      {
        title: "Parents, guardians and other people who speak for a patient",
        text: "A parent or guardian is known from the record system; for an adult, staff approve who may call. From an age that you set, a minor's medical record stays closed to them.",
        where: "“Approved callers”, “People Who May Call for a Patient”. Every approval is in the audit log.",
      },
      {
        title: "Emergencies are recognized first",
        text: "Each tool looks for signs of an emergency in what it was given. The caller hears whom to call, 911, 988 or Poison Control, before anything else, and staff get a task.",
        where: "The call's details, and the call's task.",
      },
      {
        title: "Recordings are not kept",
        text: "Transcripts and summaries are, sealed, for the time that you set. Sound files that voice platforms offer are not stored.",
        where: "A call's details.",
      },
    ],
  },
  {
    title: "In the data",
    items: [
      {
        title: "Each organization kept separate",
        text: "Functions that act for an organization hold a cloud session tagged with it. The cloud itself then refuses any row, file or secret of another one, even if our code were wrong.",
        where: "The access log of the cloud account names the organization in each session.",
      },
      {
        title: "Encrypted, and sealed for its purpose",
        text: "TLS in transit, managed keys at rest. Contents of calls, keys and tokens are encrypted once more, for one organization and one purpose each; a value that was moved elsewhere cannot be opened.",
        where: "“API Keys”: a key is hidden until you ask for it, and shown for a minute only. Each view is in the audit log.",
      },
      {
        title: "Retention and erasure",
        text: "Periods for calls, transcripts, leads and messages are set for each organization. An erasure of a call, a patient or an organization waits for a second administrator or for a waiting time, and ends with a signed certificate.",
        where: "“Audit & Compliance”, “Erasures”, for the operator.",
      },
      {
        title: "Backups that are tried",
        text: "The database can be restored to any second of the last 35 days, and daily backups are locked against deletion. A restore repeats the erasures made since, so that no erased person returns.",
        where: "The operator's restore drill prints how much was lost and how long it took.",
      },
    ],
  },
  {
    title: "For the people who sign in",
    items: [
      {
        title: "Sign-in",
        text: "Personal accounts, two-factor sign-in with recovery codes, sign-out after 15 minutes without activity and after 12 hours in any case. An organization can require the second factor.",
        where: "Your account: “Two-factor sign-in”, and “My sessions” with a button that ends them.",
      },
      {
        title: "Operators' views are limited and visible",
        text: "An operator sees your dashboard as you do for at most fifteen minutes, reading only, and never your API key.",
        where: "Your audit log names the operator and your organization for each thing that was read.",
      },
      {
        title: "An audit log that shows tampering",
        text: "Each access to a patient's record leaves an entry with actor, action and time, written in the same transaction as the act. Entries go to write-once storage as a hash chain and are verified every hour.",
        where: "“Audit”, “Audit & Compliance”: the log, and when the archive was last verified. “Export Logs” as CSV, JSON or PDF.",
      },
      {
        title: "The record system's own rights apply",
        text: "We sign in to your EHR with a key pair (SMART Backend Services) or the method it supports, and each tool gets a token narrowed to what it needs.",
        where: "“FHIR”: the connection, its scopes, and “Test Connection”, which goes step by step.",
      },
    ],
  },
];

/** 45 CFR 164.312. */
export const technicalSafeguards: readonly { rule: string; name: string; built: string; yours: string }[] = [
  {
    rule: "164.312(a)(2)(i)",
    name: "Unique user identification",
    built: "Personal accounts; agents act under the organization's key and the call's id.",
    yours: "No shared accounts; remove people who leave.",
  },
  {
    rule: "164.312(a)(2)(ii)",
    name: "Emergency access procedure",
    built: "The record stays in your EHR and does not depend on Vitaline.",
    yours: "A procedure for answering the phone without it.",
  },
  {
    rule: "164.312(a)(2)(iii)",
    name: "Automatic logoff",
    built: "After 15 minutes without activity, on the server too.",
    yours: "Locked screens at the desk.",
  },
  {
    rule: "164.312(a)(2)(iv), (e)(2)(ii)",
    name: "Encryption",
    built: "At rest with managed keys, in transit with TLS, contents of calls sealed once more.",
    yours: "The same for exports after they were downloaded.",
  },
  {
    rule: "164.312(b)",
    name: "Audit controls",
    built: "A log entry with each act, kept seven years in write-once storage.",
    yours: "Review it regularly, and say who does.",
  },
  {
    rule: "164.312(c)",
    name: "Integrity",
    built: "Hash chain of the log, verified hourly; no tool overwrites a record that changed meanwhile.",
    yours: "Act on the alarm that an entry was changed.",
  },
  {
    rule: "164.312(d)",
    name: "Person or entity authentication",
    built: "Passwords with a second factor; signed requests of voice platforms; callers verified against the record.",
    yours: "Require the second factor for your users.",
  },
  {
    rule: "164.312(e)(1)",
    name: "Transmission security",
    built: "HTTPS only, required of browsers for two years; addresses of EHRs are checked before anything is sent.",
    yours: "HTTPS on your EHR and webhook addresses.",
  },
];

export const duties: readonly { who: string; items: readonly string[] }[] = [
  {
    who: "The operator of this installation",
    items: [
      "Signs a business associate agreement with each organization, before the first call with patient data",
      "Has such agreements with the cloud provider, the voice platforms it provides, and the mail and text providers",
      "Conducts a risk analysis (45 CFR 164.308(a)(1)(ii)(A)), names a security official, trains its people, and plans for incidents and breach notices",
      "Runs the restore drill and the audit's verification, and acts on alarms",
      "Completes the privacy policy and the terms, which are templates here",
    ],
  },
  {
    who: "Your organization",
    items: [
      "Signs the agreement with the operator, and one with each voice platform that it brings itself",
      "Decides who may sign in, what agents may do, how long data is kept, and who is on duty for transfers",
      "Tells callers that an automated agent answers, where the law asks for it, and has consents for texts",
      "Keeps the record system's accounts and rights, and ends ours there when you leave",
    ],
  },
];

export const notClaimed = [
  "Vitaline has no SOC 2 report, no HITRUST certification and no ISO 27001 certificate. An operator who has one shows it to you under its own name.",
  "No authority certifies software as HIPAA-compliant. Compliance is what the operator and your organization do with it; this page says what is built for that.",
] as const;
