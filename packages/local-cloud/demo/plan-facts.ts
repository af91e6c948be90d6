const holidays = [
  { date: "2026-11-26", name: "Thanksgiving" },
  { date: "2026-12-25", name: "Christmas Day" },
  { date: "2027-01-01", name: "New Year's Day" },
  { date: "2027-05-31", name: "Memorial Day" },
  { date: "2027-07-05", name: "Independence Day (observed)" },
  { date: "2027-09-06", name: "Labor Day" },
];

/** What Riverside's offices have in common. */
export const riversideFacts = {
  insurance: [
    "Aetna",
    "Blue Cross Blue Shield of Illinois",
    "Cigna",
    "Humana Medicare Advantage",
    "Illinois Medicaid",
    "Medicare",
    "UnitedHealthcare",
  ],
  selfPayPrices: ["New patient visit: $185", "Follow-up visit: $110", "Annual physical: $160", "Flu shot: $35"],
  whatToBring: ["Your insurance card", "A photo ID", "A list of your medications"],
  languages: ["English", "Spanish"],
  telehealth: "Yes, follow-up visits and test results can be by video. We text you a link before the visit.",
  afterHours: "When we're closed, our nurse line answers at 415 555 0119. In an emergency, call 911.",
  holidays,
};

export const mainStreetFacts = {
  directions:
    "We're on River Street between Second and Third Avenue, across from the post office. The number 12 bus stops at our door. Take the elevator to the second floor.",
  parking: "There is free parking for two hours in the lot behind the building; enter from Second Avenue.",
  questions: [
    {
      question: "Do you take walk-ins?",
      answer: "Yes, for sick visits on weekdays from 9 to 11 in the morning. The wait is usually under an hour.",
    },
    { question: "Do you have a lab?", answer: "Yes, blood is drawn here on weekday mornings. Results are back in two days." },
  ],
};

export const hillsideFacts = {
  directions: "We're at the top of Hill Road, next to the fire station. The entrance is on the left side of the building.",
  parking: "Parking is free in front of the building, with two accessible spaces by the door.",
  languages: ["English", "Spanish", "Vietnamese"],
};

export const lakesideFacts = {
  directions:
    "We're on Lake Avenue, one block past the library when you come from Route 9. Look for the blue awning. We're on the ground floor, so strollers are easy.",
  parking: "Free parking behind the building; the spaces marked with a duck are ours.",
  insurance: ["Aetna", "Blue Cross Blue Shield", "Cigna", "Medicaid", "UnitedHealthcare"],
  selfPayPrices: ["Well-child visit: $150", "Sick visit: $95", "School or sports physical: $60"],
  whatToBring: ["Your child's insurance card", "A photo ID of a parent or guardian", "Your child's shot record"],
  languages: ["English", "Spanish", "Haitian Creole"],
  telehealth: "Yes, for follow-ups and questions about behavior or sleep. New problems are seen in person.",
  afterHours: "A pediatric nurse answers around the clock at 415 555 0129. In an emergency, call 911.",
  holidays,
  questions: [
    { question: "Do you take walk-ins?", answer: "No, but we keep same-day appointments for sick children. Please call when we open." },
    {
      question: "How do I get a school form?",
      answer: "Bring it to the front desk or email it to us; it is ready in three business days.",
    },
    { question: "Do you accept new patients?", answer: "Yes, newborns to age 18. We offer a free first meeting with the doctor." },
  ],
};
