/** Ordinary given names, invented family names: easy to say on the phone, and nobody's. */
export const femaleNames =
  "Ada Bianca Clara Delia Elena Fiona Greta Hanna Irene Joyce Karina Lydia Marta Nadia Odette Paula Rosa Sylvia Teresa Vera".split(" ");
export const maleNames =
  "Aaron Boris Cedric Dario Edgar Felix Gavin Hugo Ivan Jonas Kenneth Leon Marcus Nolan Oscar Pavel Ruben Simon Tobias Victor".split(" ");

const starts = ["Alder", "Briar", "Cedar", "Dun", "Elm", "Fern", "Garn", "Hazel", "Kel", "Lark", "Marl", "Thorn"];
const ends = ["wick", "combe", "stead", "mere"];
export const familyNames = starts.flatMap((start) => ends.map((end) => start + end));

export const streets = [
  "Sample Street",
  "Placeholder Avenue",
  "Fixture Lane",
  "Example Road",
  "Mock Orchard Way",
  "Specimen Court",
  "Draft Hill Drive",
];
export const towns = [
  { city: "Sampleton", state: "MA", postalCode: "02199" },
  { city: "Mockford", state: "MA", postalCode: "01099" },
  { city: "Exampleville", state: "NY", postalCode: "10099" },
  { city: "Fixture Falls", state: "CT", postalCode: "06099" },
  { city: "Placeholder", state: "NJ", postalCode: "07099" },
];
/** With each of them 555-0100 to 555-0199 are set aside for fiction. */
export const areaCodes = ["617", "212", "860", "201", "413"];
