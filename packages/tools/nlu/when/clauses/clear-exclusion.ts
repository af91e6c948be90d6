/** Said as "no", but refusing nothing. */
const idioms =
  /(?<= |^)(?:(?:does|do|did)(?: ?nt| not) (?:really )?(?:matter|care|mind|know)|no (?:me )?importa|no preference|but(?= not)|pero(?= no))(?= |$)/g;
const negations =
  /(?<= |^)(?:no|not|nt|cant|cannot|wont|couldnt|wouldnt|dont|doesnt|isnt|arent|aint|nothing|none|never|without|but|except|besides|other than|forget|scratch|skip|bad|tough|hard|full|out|impossible|imposible|mal|menos|excepto|salvo|nada|ningun[oa]?|nunca|sin|sino)(?= |$)/g;
/** Questions, conditions and what others said. */
const doubtful =
  /^(?:is|are|was|why|did|do you|does|theres|there is)(?= )|(?<= |^)(?:cancel[a-z]*|soon enough|(?:no|not an?) (?:hay )?(?:problema?|issue)|reason|thought|you said|told me|mas que|me diga|unless|whether|(?:if|si) (?!i can help|i can avoid|(?:its |at all |es )*pos+ible|se puede|you do ?nt mind|no le importa|thats (?:ok|alright|fine)))/;

/** At most one "no": "any day but Friday", not "I can't do any day but Friday" or "if you can't do Monday then Tuesday". */
export const isClearExclusion = (plain: string): boolean =>
  !doubtful.test(plain) && (plain.replace(idioms, " ").match(negations)?.length ?? 0) <= 1;
