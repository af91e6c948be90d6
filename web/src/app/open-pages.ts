/** What the header and the footer lead to. */
export const openPages = [
  { to: "/", text: "Home" },
  { to: "/pricing", text: "Pricing" },
  { to: "/contact", text: "Contact" },
] as const;
