/** What a fresh platform is filled with. Names end in .example, so that no real address is ever meant. */
export const systemAdminEmail = "admin@vitaline.example";

export type PlannedTenant = {
  name: string;
  organizationType: "clinic" | "private_practice";
  contactEmail: string;
  contactPhone: string;
  address: string;
  description: string;
  admin: { email: string; firstName: string; lastName: string };
  offices: { name: string; address: string; phone: string }[];
  /** Which of the sandbox's patients phone, and how each call goes. */
  calls: { patient: number; story: "book" | "wrong-person" | "question" }[];
};

export const plannedTenants: PlannedTenant[] = [
  {
    name: "Riverside Family Clinic",
    organizationType: "clinic",
    contactEmail: "frontdesk@riverside.example",
    contactPhone: "+1 415 555 0110",
    address: "12 River Street, Springfield",
    description: "Family medicine for all ages.",
    admin: { email: "admin@riverside.example", firstName: "Rita", lastName: "Rivers" },
    offices: [
      { name: "Main Street Office", address: "12 River Street, Springfield", phone: "+1 415 555 0111" },
      { name: "Hillside Office", address: "4 Hill Road, Springfield", phone: "+1 415 555 0112" },
    ],
    calls: [
      { patient: 5, story: "book" },
      { patient: 4, story: "wrong-person" },
      { patient: 3, story: "question" },
    ],
  },
  {
    name: "Lakeside Pediatrics",
    organizationType: "private_practice",
    contactEmail: "hello@lakeside.example",
    contactPhone: "+1 415 555 0120",
    address: "80 Lake Avenue, Shelbyville",
    description: "Care for children and teenagers.",
    admin: { email: "admin@lakeside.example", firstName: "Leo", lastName: "Lake" },
    offices: [{ name: "Lake Avenue Office", address: "80 Lake Avenue, Shelbyville", phone: "+1 415 555 0121" }],
    calls: [
      { patient: 4, story: "book" },
      { patient: 5, story: "question" },
    ],
  },
];
