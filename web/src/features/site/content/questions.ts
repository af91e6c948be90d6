import type { Question } from "../../../components/layout/faq.tsx";

/** What hospitals ask; questions about prices are in pricing.ts, about support in contact.ts. */
export const questionGroups: readonly { id: string; title: string; questions: readonly Question[] }[] = [
  {
    id: "callers",
    title: "Calls and callers",
    questions: [
      {
        question: "Does the caller talk to a person or to a machine?",
        answer:
          "To an automated voice agent at the voice platform that you choose. It says so if your greeting does, and it transfers the caller to your staff on request.",
      },
      {
        question: "How does the agent know who is calling?",
        answer:
          "It asks for full name, date of birth and one more detail on file, such as the phone number or zip code, and the server compares them with the record in your EHR. Medical information needs a second such detail or a one-time code.",
      },
      {
        question: "What if a caller reports an emergency?",
        answer:
          "The caller is told at once whom to call: 911, the 988 lifeline or Poison Control. Nothing else is said or done, and your staff get a task.",
      },
      {
        question: "May a parent call for a child?",
        answer:
          "Yes, if the record system names them as parent or guardian. From an age that you set, twelve at first, the child's medical record stays closed to them. For an adult, your staff approve who may call.",
      },
      {
        question: "Which languages does it speak?",
        answer: "Tools answer in English and Spanish. The agent's own voice and language are set at the voice platform.",
      },
      {
        question: "What happens when no one is on duty?",
        answer:
          "The agent does not promise a transfer. It takes the caller's name and number, which become a lead for your staff, and only then mentions a callback.",
      },
    ],
  },
  {
    id: "record",
    title: "The record system",
    questions: [
      {
        question: "Which record systems work?",
        answer:
          "Those that offer FHIR R4, STU3 or DSTU2 with SMART sign-in, Epic and Oracle Health among them. A server that only reads works too: then agents read, and pass requests on to your staff.",
      },
      {
        question: "Do we have to install anything?",
        answer:
          "No. You register a client at your EHR, we give you the address of our public keys, and the connection test shows step by step what works.",
      },
      {
        question: "What does an agent write into the record?",
        answer:
          "Appointments, new patients, contact details, and messages to the care team, each only if your EHR and your policies allow it. It never prescribes and never changes clinical entries.",
      },
      {
        question: "What if the EHR does not answer?",
        answer:
          "The agent says so and offers to have someone call back. A connection that fails is shown in your dashboard and told to the operator.",
      },
    ],
  },
  {
    id: "security",
    title: "Security and compliance",
    questions: [
      {
        question: "Is Vitaline HIPAA-certified?",
        answer:
          "There is no such certificate. The security page says what is built for each technical safeguard of the Security Rule, and what the operator and you have to do.",
      },
      {
        question: "Do you sign a business associate agreement?",
        answer:
          "The operator of this installation does, with each organization and before the first call with patient data. Write to us, and you get it.",
      },
      {
        question: "Where is patient data stored?",
        answer:
          "In your EHR. Vitaline keeps call records, transcripts for the time that you set, and the audit log, in the cloud region of this installation.",
      },
      {
        question: "Can we get our data out, and have it deleted?",
        answer:
          "Calls and leads as CSV, the audit log as CSV, JSON or PDF, at any time. At the end your organization's data is exported and erased, with a signed certificate.",
      },
    ],
  },
];
