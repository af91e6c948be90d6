/** Words with which people tell of what cannot wait: a life may be at stake. Said once too often is better than not at all. */
const flags: readonly RegExp[] = [
  /\bchest (?:pain|pressure|tightness)|\b(?:pain|pressure|tightness) in (?:my|his|her|their|the) chest|\bheart attack|\bcardiac arrest/,
  /\b(?:cant|cannot|can not|unable to|hard to|not able to|struggling to|isnt|is not|not) (?:breathe|breathing)|\b(?:trouble|difficulty|problems?) (?:with )?breathing|\bshort(?:ness)? of breath|\bchoking/,
  /\bstroke\b|\bface (?:is )?droop|\bdrooping face|\bslurred speech|\bsudden (?:numbness|weakness)|\bcant (?:speak|see|move)/,
  /\bsuicid|\bkill(?:ing)? (?:myself|himself|herself|themselves)|\bend (?:my|his|her|their) (?:own )?life|\bwants? to die\b|\bhurt(?:ing)? myself|\bself[- ]harm/,
  /\boverdos|\bpoison|\btook too many (?:pills|tablets)/,
  /\bunconscious|\bpassed out|\bunresponsive|\bseizure|\bwont wake|\bnot waking/,
  /\bsevere(?:ly)? bleed|\bbleeding (?:a lot|heavily|badly|out)|\b(?:wont|cant|doesnt|not) stop bleeding|\bbleeding (?:that )?(?:wont|doesnt|will not) stop|\bcoughing up blood|\bvomiting blood/,
  /\banaphyla|\bthroat (?:is )?(?:closing|swelling)|\bsevere allergic/,
];
const ofMind = 3;

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’‘`´]/g, "")
    .replace(/\s+/g, " ");

/** For whoever has said that it is an emergency. */
export const goNow = "If this is an emergency, please hang up and call 911 right now.";
const notAlone = "If you might hurt yourself or someone else, please hang up and call 911, or call or text 988 at any time.";

/** What to say before all else when words tell of an emergency; undefined when they do not. */
export function emergencyLine(...texts: (string | undefined)[]): string | undefined {
  const said = plain(texts.filter(Boolean).join(" . "));
  if (flags[ofMind]?.test(said)) return notAlone;
  return flags.some((flag) => flag.test(said)) ? goNow : undefined;
}
