export type LegalText = { title: string; lead: string; sections: readonly { title: string; text: readonly string[] }[] };

/** Square brackets mark what the operator of an installation has to fill in; with one left, a page is a template. */
export const legalTexts: Readonly<Record<"privacy" | "terms", LegalText>> = {
  privacy: {
    title: "Privacy policy",
    lead: "How this site and the dashboards handle data about the people who use them.",
    sections: [
      {
        title: "Who is responsible",
        text: [
          "[Legal name and address of the operator] runs this installation of Vitaline. Questions about privacy: [name, email, phone].",
          "Data about patients belongs to the healthcare organizations that use Vitaline. For it the operator is a business associate under HIPAA: the organization's notice of privacy practices and the business associate agreement with [operator] apply, not this policy. Patients should contact their clinic.",
        ],
      },
      {
        title: "What is collected",
        text: [
          "From visitors: what they write in the contact form, and technical logs with address and time of a request, kept for [period].",
          "From people who sign in: name, email address, role, sign-in times, the devices and addresses of open sessions, and an audit log of what they did.",
        ],
      },
      {
        title: "What is stored in the browser",
        text: [
          "The sign-in of a session, the choice of light or dark colors, and hints that were dismissed. There are no advertising or tracking cookies, and no analytics by others.",
          "The calendar for booking a demo comes from [calendar provider] and may set cookies of its own. It is loaded only after you choose to.",
        ],
      },
      {
        title: "What it is used for, and who gets it",
        text: [
          "To answer messages, to run accounts, to keep the service secure, and to show what was done in it. It is not sold and not used for advertising.",
          "Processors: [cloud provider and region], [mail and text provider], [further processors].",
        ],
      },
      {
        title: "How long, and your rights",
        text: [
          "Messages of the contact form: [period]. Accounts: until they are removed. The audit log: seven years, because healthcare law asks for records of access.",
          "You can ask to see, correct or delete data about you, and complain to [supervisory authority, where there is one]. [Rights under state law, such as the CCPA.]",
        ],
      },
      { title: "Changes", text: ["In force since [date]. Earlier versions: [where they are available]."] },
    ],
  },
  terms: {
    title: "Terms of service",
    lead: "Between the operator of this installation and the organizations that use it.",
    sections: [
      {
        title: "The parties",
        text: [
          "[Legal name of the operator] and the organization named in the order. The order, the business associate agreement and these terms form the contract; the business associate agreement comes first where they differ.",
        ],
      },
      {
        title: "The service",
        text: [
          "Vitaline connects voice agents with the organization's record system: it verifies callers, reads and writes what the organization allows, and records what was done. It gives no medical advice and does not replace emergency services.",
          "Plans, bundled minutes and the price of further minutes are those of the order. Availability: [percentage, period, remedy]. Support: [hours and channels].",
        ],
      },
      {
        title: "What the organization does",
        text: [
          "Keeps its accounts and keys to itself, decides what agents may do, has the consents that calls and texts need, and tells callers about automated agents where the law asks for it.",
          "Has an agreement with each voice platform that it brings itself.",
        ],
      },
      {
        title: "Data",
        text: [
          "Patient data remains the organization's. The operator uses it only to provide the service, as the business associate agreement says. Retention periods are set by the organization's agreement with the operator; at the end of the contract data is exported and erased within [period], with a certificate.",
        ],
      },
      {
        title: "Fees, liability, term",
        text: ["[Fees, invoices and taxes.] [Warranties and limits of liability.] [Term, renewal and termination.] [Insurance.]"],
      },
      { title: "Law", text: ["[Governing law and place of jurisdiction.] In force since [date]."] },
    ],
  },
};
