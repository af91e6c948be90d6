/** Any day and time will do, or the first there is. */
export const noPreference = [
  "(?:lo|la|el) (?:que sea )?mas (?:rapid[oa]|cercan[oa]|pronto|proxim[oa])(?: (?:posible|que (?:tengan?|haya|se pueda|puedan?)))?",
  "cuando haya (?:campo|cupo|chance|un espacio|un lugar|un huequito|algo)",
  "no importa(?: (?:el dia|la hora|cuando))?|me da (?:igual|lo mismo)|cuando (?:sea|(?:ustedes |usted )?(?:pueda|puedan|tengan?|quieran?|digan?|gusten?))(?: (?:usted|ustedes))?",
  "(?:la|el|lo|los|las) que (?:sea|haya|(?:ustedes |usted )?(?:tengan?|quieran?|digan?|gusten?|ofrezcan?|puedan?|consigan?))(?! (?:mas|antes|primero))(?: (?:usted|ustedes))?(?: (?:disponible|libre|abierto))?",
  "donde (?:usted |ustedes )?(?:haya|tengan?|puedan?|quieran?)(?: (?:usted|ustedes|espacio|campo|lugar|cupo))*|(?:usted|ustedes) (?:escojan?|elijan?|decidan?|digan?)(?: (?:no mas|nomas))?|como (?:usted |ustedes )?(?:quieran?|gusten?|sea mejor)",
  "me (?:es|da) (?:igual|indiferente|lo mismo)|(?:no tengo|sin) preferencia|estoy (?:libre|disponible) (?:todo el tiempo|siempre|toda la semana|todos los dias)|para (?:cuando|la que) (?:haya|tengan?)",
  "(?:cuanto antes|lo (?:antes|mas pronto|mas temprano) posible|lo mas pronto(?! posible)|lo mas (?:pronto|temprano) que (?:se )?(?:pueda[ns]?|tengan?|haya)|(?:entre|mientras|cuanto) (?:antes|mas pronto)(?: posible)?,? mejor|lo antes que (?:se )?pueda[ns]?)",
  "(?:la|el) (?:1th|proxim[ao]) (?:cita|hora|espacio)?(?: disponible| libre| que (?:tengan?|haya))+|(?:la|el) proxim[ao] (?:cita|espacio)",
  "(?:en )?cualquier (?:dia|hora|momento)(?: de la semana(?! (?:que|proxima|entrante|siguiente|del)))?|(?:el dia|la hora|a la hora) que sea|a cualquier hora",
  "(?:el )?1th dia (?:que (?:tengan?|haya|puedan?)|disponible|libre)",
  "lo que (?:tengan?|haya) (?:mas pronto|antes|primero)|cuando haya (?:espacio|lugar|cita)|la cita mas (?:proxima|pronto|cercana)",
];
