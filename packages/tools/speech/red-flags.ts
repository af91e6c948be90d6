import { parseArguments } from "../sdk/arguments.ts";

const between = "(?: [\\w-]+){0,4}";
const body = "(?:chest|breastbone|left arm|heart)";
const hurts =
  "(?:pain|pains|pressure|tight|tightness|tightening|tightens|heav(?:y|iness)|hurt|hurts|hurting|ach(?:e|es|ing)|burn(?:s|ing)?|crushing|squeez(?:e|es|ing)|stabbing)";
const cannot = "(?:cant|cannot|can not|couldnt|could not|unable to|hard to|not able to|struggling to|struggles to|trying to|hardly|barely)";
const whose = "(?:my|his|her|their|the|our)";
const self = "(?:myself|himself|herself|themselves|themself)";
const medicine = "(?:pills?|tablets?|capsules?|meds|medicines?|medications?|tylenol|advil|aspirin|insulin|opioids?|oxy\\w*)";
const toxic =
  "(?:bleach|poison|antifreeze|detergent|drain cleaner|ammonia|gasoline|lighter fluid|pesticides?|battery|batteries|magnets?|cleaning|cleaner|chemicals?)";

const selfHarm = new RegExp(
  [
    "\\bsuicid",
    `\\bkill(?:ing|ed)? ${self}`,
    `\\b(?:end|ending|ended|take|taking|took) ${whose} (?:own )?life`,
    "\\bend(?:ing)? it all\\b",
    "\\b(?:wants?|wanted|wish(?:es)?|going|ready)(?: (?:to|i|he|she|they|was|were|be)){1,3} (?:die|dead)\\b",
    "\\bbetter off dead\\b",
    "\\b(?:dont|doesnt|do not|does not|didnt) (?:want|wanna|wish)(?: to)? (?:live|be alive|go on|be here any ?more|wake up)\\b",
    "\\b(?:no|any) (?:reason|point) (?:to|in) (?:live|living|go on|going on)\\b",
    `\\b(?:hurt|harm|hurting|harming|cutting|hang|hanging|shoot|shooting) ${self}`,
    "\\bself[- ]harm",
    // oxlint-disable-next-line vitaline/plain-words -- callers say it
    "\\bkill (?:him|her|them|somebody|someone|my|people)\\b",
  ].join("|"),
);

/** A false alarm is better than a missed emergency. */
const flags = [
  selfHarm,
  new RegExp(
    `\\b${body}${between} ${hurts}\\b|\\b${hurts}${between} (?:in|on|across|of|my|his|her|the)${between} ${body}\\b|\\b${hurts} ${body}\\b`,
  ),
  /\bheart (?:attack|stopped|has stopped)|\bcardiac arrest|\belephant on (?:my|his|her) chest/,
  new RegExp(
    `\\b${cannot}${between} (?:breathe|breath|breathing|air)\\b|\\b(?:isnt|is not|not|stopped|stops|stop|quit) breathing\\b|\\b(?:trouble|difficult(?:y|ies)?|problems?|hard time)(?: (?:with|in|getting|catching|my|his|her|a|to))* (?:breath|breathe|breathing|air)\\b|\\bshort(?:ness)? of breath|\\bout of breath|\\bgasping|\\bchok(?:e|es|ing)\\b`,
  ),
  /\b(?:turn(?:s|ing|ed)?|going|gone|went|lips(?: are| look)?|face (?:is|looks)|skin (?:is|looks)|looks) (?:\w+ )?(?:blue|purple|gr[ae]y)\b/,
  /\bstrokes?\b|\b(?:face|mouth|smile)(?: [\w-]+){0,3} droop|\bdrooping (?:face|mouth)|\bslur(?:s|red|ring)?\b(?: [\w-]+){0,2} (?:speech|words|talk)|\bspeech (?:is |was )?slur|\b(?:slurred|slurring)\b|\bsudden(?:ly)? (?:numb|numbness|weak|weakness|confus\w+|blind|cant)|\bone side(?: [\w-]+){0,5} (?:numb|weak|paraly[sz]ed|droop\w*)|\b(?:numb|weak|paraly[sz]ed)(?: [\w-]+){0,3} one side/,
  /\b(?:cant|cannot|can not) (?:speak|talk|see|move|feel)\b|\bworst headache\b/,
  new RegExp(
    `\\boverdos|\\bpoison|\\b(?:took|taken|swallowed|ate|drank|gave)(?: [\\w-]+){0,3} (?:too many|too much|whole bottle|entire bottle|handful|bunch of|bottle of)\\b|\\b(?:took|taken|swallowed) (?:all|double)(?: [\\w-]+){0,3} ${medicine}|\\b(?:swallowed|drank|drunk|ate|eaten|inhaled)(?: [\\w-]+){0,3} ${toxic}\\b|\\bcarbon monoxide`,
  ),
  /\bunconscious|\b(?:lost|loses|losing|lose) consciousness|\b(?:passed|passing|passes|blacked|blacking|knocked) out\b|\bfainted\b|\bcollapsed\b|\bunresponsive|\b(?:not|isnt|wont|doesnt) (?:respond|responding|responsive|wake|waking)\b|\bcant wake\b|\bseizures?\b|\bseizing\b|\bconvuls/,
  /\bsevere(?:ly)? bleed|\bbleeding (?:a lot|heavily|badly|out|everywhere)|\b(?:wont|cant|doesnt|not|will not) stop(?: the)? bleeding|\bbleeding(?: [\w-]+){0,2} (?:wont|doesnt|will not|isnt|not) stop|\b(?:cough|vomit|throw|spit|bring|puk|pee|poop)\w*(?: up| out)? (?:\w+ )?blood|\b(?:gushing|spurting|losing(?: [\w-]+){0,3}) blood|\bblood(?: is)? (?:gushing|spurting|everywhere|pouring)/,
  /\banaphyla|\b(?:throat|tongue)(?: [\w-]+){0,3} (?:clos|swell|swollen|tight)|\b(?:swollen|swelling)(?: [\w-]+){0,3} (?:throat|tongue)|\bsevere allergic/,
  /\b(?:been|was|got|were) (?:shot|stabbed|electrocuted|strangled)\b|\bdrown(?:ed|ing)\b|\bnot moving\b|\b(?:call|need|needs|send)(?: me)? (?:an ambulance|911)\b/,
];

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’‘`´]/g, "")
    .replace(/\s+/g, " ");

export const call911Line = "If this is an emergency, please hang up and call 911 right now.";
const crisisLine = "If you might hurt yourself or someone else, please hang up and call 911, or call or text 988 at any time.";

/** The sentence to say first if the texts describe an emergency. */
export function emergencyLine(...texts: (string | undefined)[]): string | undefined {
  const said = plain(texts.filter(Boolean).join(" . "));
  if (selfHarm.test(said)) return crisisLine;
  return flags.some((flag) => flag.test(said)) ? call911Line : undefined;
}

const maxTextLength = 20_000;

/** Also for arguments that do not fit the tool's schema. */
export function emergencyLineFor(args: unknown): string | undefined {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect(parseArguments(args) ?? (typeof args === "string" ? args : undefined));
  return emergencyLine(texts.join(" . ").slice(0, maxTextLength));
}
