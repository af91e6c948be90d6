import { hillsideFacts, lakesideFacts, mainStreetFacts, riversideFacts } from "./plan-facts.ts";

export const systemAdminEmail = "admin@vitaline.example";

export type PlannedTenant = {
  name: string;
  /** Whose calls the past has. */
  kind: "family" | "children";
  organizationType: "clinic" | "private_practice";
  contactEmail: string;
  contactPhone: string;
  address: string;
  description: string;
  admin: { email: string; firstName: string; lastName: string };
  offices: {
    name: string;
    address: string;
    phone: string;
    staffRouting: { label: string; phone: string; reasons: string[] }[];
    facts: object;
  }[];
  /** Of all offices. */
  facts?: object;
  /** `child`: one of the sandbox's children, whose parent calls. */
  calls: (({ patient: number } | { child: number }) & { story: "book" | "wrong-person" | "question" })[];
};

export const plannedVoices = [
  { providerType: "vapi", providerName: "Vapi", agentId: "agent-2", agentName: "Agent 2", isDefault: true },
  { providerType: "retellai", providerName: "Retell AI", agentId: "agent-2", agentName: "Agent 2", office: 0 },
  { providerType: "elevenlabs", providerName: "ElevenLabs", agentId: "agent-2", agentName: "Agent 2" },
  {
    providerType: "openai",
    providerName: "OpenAI",
    agentId: "gpt-realtime-2",
    agentName: "gpt-realtime-2",
    office: -1,
    config: { model: "gpt-realtime-2", voice: "marin" },
  },
] as const;
export type PlannedVoice = (typeof plannedVoices)[number];

export const plannedTenants: PlannedTenant[] = [
  {
    name: "Riverside Family Clinic",
    kind: "family",
    organizationType: "clinic",
    contactEmail: "frontdesk@riverside.example",
    contactPhone: "+1 415 555 0110",
    address: "12 River Street, Springfield",
    description: "Family medicine for all ages.",
    facts: riversideFacts,
    admin: { email: "admin@riverside.example", firstName: "Rita", lastName: "Rivers" },
    offices: [
      {
        name: "Main Street Office",
        address: "12 River Street, Springfield",
        phone: "+1 415 555 0111",
        staffRouting: [
          { label: "Billing", phone: "+1 415 555 0118", reasons: ["billing", "insurance"] },
          { label: "Front desk", phone: "+1 415 555 0111", reasons: [] },
        ],
        facts: mainStreetFacts,
      },
      {
        name: "Hillside Office",
        address: "4 Hill Road, Springfield",
        phone: "+1 415 555 0112",
        staffRouting: [
          { label: "Billing", phone: "+1 415 555 0118", reasons: ["billing", "insurance"] },
          { label: "Front desk", phone: "+1 415 555 0112", reasons: [] },
        ],
        facts: hillsideFacts,
      },
    ],
    calls: [
      { patient: 5, story: "book" },
      { patient: 4, story: "wrong-person" },
      { patient: 3, story: "question" },
    ],
  },
  {
    name: "Lakeside Pediatrics",
    kind: "children",
    organizationType: "private_practice",
    contactEmail: "hello@lakeside.example",
    contactPhone: "+1 415 555 0120",
    address: "80 Lake Avenue, Shelbyville",
    description: "Care for children and teenagers.",
    admin: { email: "admin@lakeside.example", firstName: "Leo", lastName: "Lake" },
    offices: [
      {
        name: "Lake Avenue Office",
        address: "80 Lake Avenue, Shelbyville",
        phone: "+1 415 555 0121",
        staffRouting: [
          { label: "Billing", phone: "+1 415 555 0128", reasons: ["billing", "insurance"] },
          { label: "Front desk", phone: "+1 415 555 0121", reasons: [] },
        ],
        facts: lakesideFacts,
      },
    ],
    calls: [
      { child: 0, story: "book" },
      { child: 1, story: "question" },
    ],
  },
];
