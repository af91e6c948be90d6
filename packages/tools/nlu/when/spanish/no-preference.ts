/** Any day and time will do, or the first there is. */
export const noPreference = [
  "(?:en cuanto|tan pronto(?: como)?) (?:se )?(?:puedan?|tengan?|haya)(?: (?:espacio|lugar|campo|cupo|algo))?",
  "a como (?:este|haya|tengan?)(?: disponible)?|(?:como|cuando) (?:a usted )?le (?:quede|convenga|parezca)(?: (?:mejor|bien))?(?: a usted)?|como usted vea",
  "(?:el|la) que este mas (?:cerca|pronto|proxim[oa])|(?:el|la|lo) mas tempran[oa](?: (?:posible|que (?:tengan?|haya)))?",
  "(?:lo|la|el) (?:que sea )?mas (?:rapid[oa]|cercan[oa]|pronto|proxim[oa])(?: (?:posible|que (?:tengan?|haya|se pueda|puedan?)))?",
  "^cualquiera(?=$| ,)",
  "cuando haya(?=$| ,| por favor)|(?:el dia|(?:a )?la hora|el dia y la hora) que (?:usted |ustedes )?(?:sea|tengan?|haya|quieran?|digan?|puedan?|gusten?)(?: (?:libre|disponible))?",
  "cuando haya (?:campo|cupo|chance|un espacio|un lugar|un huequito|algo)",
  "no importa(?: (?:el dia|la hora|cuando))?|me da (?:igual|lo mismo)|cuando (?:sea|(?:ustedes |usted )?(?:pueda|puedan|tengan?|quieran?|(?:me )?digan?|gusten?))(?: (?:usted|ustedes))?",
  "(?:la|el|lo|los|las) que (?:sea|haya|(?:ustedes |usted )?(?:tengan?|quieran?|digan?|gusten?|ofrezcan?|puedan?|consigan?))(?! (?:mas|antes|primero))(?: (?:usted|ustedes))?(?: (?:disponible|libre|abierto))?",
  "donde (?:usted |ustedes )?(?:haya|tengan?|puedan?|quieran?)(?: (?:usted|ustedes|espacio|campo|lugar|cupo))*|(?:usted|ustedes) (?:escojan?|elijan?|decidan?|digan?)(?: (?:no mas|nomas))?|como (?:usted |ustedes )?(?:quieran?|gusten?|sea mejor)",
  "me (?:es|da) (?:igual|indiferente|lo mismo)|(?:no tengo|sin) preferencia|estoy (?:libre|disponible) (?:todo el tiempo|siempre|toda la semana|todos los dias)|para (?:cuando|la que) (?:haya|tengan?)",
  "(?:cuanto antes|lo (?:antes|mas pronto|mas temprano) posible|lo mas pronto(?! posible)|lo mas (?:pronto|temprano) que (?:se )?(?:pueda[ns]?|tengan?|haya)|(?:entre|mientras|cuanto) (?:antes|mas pronto)(?: posible)?,? mejor|lo antes que (?:se )?pueda[ns]?)",
  "(?:la|el) (?:1th|proxim[ao]) (?:cita|hora|espacio)?(?: disponible| libre| que (?:tengan?|haya))+|(?:la|el) proxim[ao] (?:cita|espacio)",
  "(?:en )?cualquier (?:dia|hora|momento)(?: de la semana(?! (?:que|proxima|entrante|siguiente|del)))?|(?:el dia|la hora|a la hora) que sea|a cualquier hora",
  "(?:el )?1th dia (?:que (?:tengan?|haya|puedan?)|disponible|libre)",
  "(?:lo|la|el) que (?:tengan?|haya) (?:mas (?:pronto|cerca|cercan[oa]|proxim[oa]|temprano)|antes|primero)|cuando haya (?:espacio|lugar|cita)|la cita mas (?:proxima|pronto|cercana)",
];
