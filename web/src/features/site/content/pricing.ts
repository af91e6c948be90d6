export const tiers = [
  {
    id: "light",
    name: "Light",
    lead: "One location that wants its phone answered.",
    price: "$1,099",
    setup: "$2,999",
    licences: "1 licence per location",
    minutes: "1,800 bundled minutes",
    isMostPopular: false,
  },
  {
    id: "core",
    name: "Core",
    lead: "A practice with several desks and a full calendar.",
    price: "$1,899",
    setup: "$6,999",
    licences: "3 licences",
    minutes: "3,600 bundled minutes",
    isMostPopular: true,
  },
  {
    id: "enterprise",
    name: "Enterprise",
    lead: "Hospitals and groups with terms of their own.",
    price: "Custom",
    setup: "Custom",
    licences: "Custom licences",
    minutes: "Custom minutes",
    isMostPopular: false,
  },
] as const;
export type Tier = (typeof tiers)[number];

/** Dollars for each minute beyond the bundled ones, in every tier. */
export const overage = "$0.18 per minute";

/** A row for each compared feature, a column for each offer. */
export type Comparison = { caption: string; columns: readonly string[]; rows: readonly (readonly [string, ...string[]])[] };

const everywhere = (name: string): readonly [string, ...string[]] => [name, "Included", "Included", "Included"];

export const plansCompared: Comparison = {
  caption: "Plans compared",
  columns: ["Light", "Core", "Enterprise"],
  rows: [
    ["Monthly price", "$1,099", "$1,899", "Custom"],
    ["Setup", "$2,999", "$6,999", "Custom"],
    ["Licences", "1 per location", "3", "Custom"],
    ["Bundled minutes a month", "1,800", "3,600", "Custom"],
    ["Overage per minute", "$0.18", "$0.18", "$0.18"],
    everywhere("Scheduling, refills, reminders"),
    everywhere("Identity and insurance verification"),
    everywhere("EHR integration over FHIR"),
    everywhere("Dashboard, analytics and audit log"),
  ],
};

export const volumesCompared: Comparison = {
  caption: "By calls a month",
  columns: ["Starter", "Professional", "Enterprise"],
  rows: [
    ["Monthly calls", "500", "2,000", "Unlimited"],
    everywhere("Answers around the clock"),
    everywhere("Text and email messages"),
    everywhere("HIPAA-compliant call records"),
  ],
};

export const pricingQuestions = [
  {
    question: "How long does setup take?",
    answer: "24-48 hours: we connect your EHR, set up your agent with you, and let you listen to test calls before patients call.",
  },
  {
    question: "What happens when the bundled minutes are used up?",
    answer: "Calls are still answered. Each further minute is $0.18, in every plan, and your dashboard shows the count at any time.",
  },
  {
    question: "What is a licence?",
    answer:
      "One voice agent at one location. Light comes with one for its location, Core with three, and Enterprise with as many as you need.",
  },
  {
    question: "Minutes or calls: which table applies to us?",
    answer: "Plans are billed by minutes. The table by calls helps if you know how often your phone rings, but not for how long.",
  },
  {
    question: "Which EHR systems work?",
    answer: "Any that speaks FHIR R4, STU3 or DSTU2 with SMART sign-in, such as Epic and Oracle Health. We test the connection with you.",
  },
  { question: "Can we change plans?", answer: "Yes, at the start of any month. Setup is paid once." },
] as const;
