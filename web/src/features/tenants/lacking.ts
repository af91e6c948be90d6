/** What is said at a field that an organization cannot do without. */
export const lacking = { name: "Organization name is required", contactEmail: "Contact email is required" };
