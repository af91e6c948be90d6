import { wholeWords } from "./parse-state/parse-state.ts";

const appointment = "(?:appointment|slot|time|opening|date|day|spot|1)";
/** Said of a day and a time: any will do, or the first there is. */
const phrases = [
  "(?:any ?time|any day|any date|any old time)(?! but| except| other than| besides)",
  "anything(?: (?:at all|goes|works|is (?:fine|good|ok|great)|you (?:got|have)|thats (?:open|available)|available|open))?(?= ?$)",
  "(?:what ?ever|when ?ever|wherever|which ?ever)(?! (?:my|she|he|they|time)(?: |$))(?: (?:day|time))?(?: (?:you|yall|is|s|works|its|suits|they|there|1 is|doctors?|dr|thats)[a-z ]*(?:1th)?)?",
  "whatevers [a-z]+(?: for (?:you|yall|them|every ?body))?|when ?evers (?:good|fine|easiest|best|convenient|open|available)(?: for (?:you|yall|them))?",
  "sooner rather than later|the (?:sooner|earlier|quicker|faster) the better|(?:as )?(?:soon|quick|quickly|early) as (?:\\w+ )?(?:possible|you can|i can|we can|yall can|you have|you got)|(?:earlier|sooner) is better|as soon as (?:you|i|we|yall) can|asap|right away|immediately",
  `(?:the )?(?:earliest|soonest|1th|next|1)(?: (?:available|open|free|possible))+(?: ${appointment})?`,
  `(?:the |your )?(?:earliest|soonest)(?: (?:appointment|slot|time|opening|date|day|you have|you got|yall got|you can|1))*`,
  "(?:the )?(?:1th|next) (?:opening|appointment)(?: you (?:have|got))?|(?:the )?1th (?:thing|1|spot|slot) (?:you|yall) (?:have|got)",
  "(?:1th|next|earliest|soonest) (?:day|date|time|spot) (?:you (?:have|got|can)|available|open|thats open|possible)",
  "(?:it |that |which )?(?:does ?nt|does not|do ?nt|did ?nt|aint) (?:really |much |even )?(?:matter|make (?:no|any|a) (?:difference|never ?mind))(?: (?:to|for) (?:me|us))?(?: (?:when|what (?:day|time)|which))?|makes no difference|makes me no never ?mind",
  "(?:i )?do ?nt (?:really )?have (?:a|any|much of a) (?:real )?preference|no (?:real )?preference|(?:i )?do ?nt (?:really )?care(?: (?:about )?(?:what|which|the) (?:day|date|time)| when)?|(?:its )?(?:all |its )+the same to me|not (?:picky|particular)|aint (?:picky|particular)|im easy",
  "im (?:pretty |totally |real |wide |super )?(?:flexible|open)(?= ?$)|^flexible|(?:wide|all) open|nothing but time|free as a bird",
  "(?:you|yall) (?:pick|choose|decide|tell me|just pick|call it)(?: (?:it|1|1 for me|for me|the (?:day|time)))?|your (?:pick|choice|call)|(?:ill |im |i )?(?:leave |leaving )?(?:it |that )?(?:up )?to (?:you|yall)(?= ?$)|up to (?:you|yall)|dealers choice|surprise me",
  "(?:just )?(?:put|get|fit|squeeze|work|stick|pencil) (?:me|us|him|her) (?:down |in )*(?:somewhere|some ?place|where ?ever|when ?ever)?(?: you can| when you can)?(?= ?$)",
  "(?:i can (?:come|do)|i could (?:come|do)|im (?:free|available|here|home|around)|come in) (?:any ?time|when ?ever|all (?:day|week)(?: long)?|every ?day)",
];

export const noPreference = wholeWords(phrases.join("|"));
