import { anyLanguageName } from "./language.ts";
import { normalizeName } from "./names.ts";

export const officeTopics = [
  "hours",
  "address",
  "directions",
  "parking",
  "phone",
  "email",
  "insurance",
  "selfPayPrices",
  "whatToBring",
  "languages",
  "telehealth",
  "afterHours",
] as const;
export type OfficeTopic = (typeof officeTopics)[number];

/** What an earlier row reads, later rows do not see: "parking at your address" is about parking. */
const topicWords: readonly [topic: OfficeTopic, words: RegExp][] = [
  [
    "afterHours",
    /\b(?:after ?hours?|out of hours|out of office|on ?call|night ?line|nurse line|(?:when|if|while) (?:youre|you are|the (?:office|clinic) is|its) closed|(?:after|once) you close|(?:at|in the middle of the) night|overnight|fuera de (?:hora|horas|horario)|despues de (?:hora|horas|las horas|cerrar)|cuando (?:ya )?(?:esta|estan) cerrad[oa]s?|(?:por|de) la noche|linea de enfermer(?:ia|as?)|de guardia)\b/,
  ],
  [
    "selfPayPrices",
    /\b(?:self ?pay|out of pocket|(?:without|with no|no|dont have|do not have|not have) (?:any )?insurance|uninsured|cash prices?|prices?|pricing|costs?|how much|charges?|fees?|rates?|sin (?:el )?(?:seguro|aseguranza)|no tengo (?:seguro|aseguranza)|precios?|cuestan?|cuanto (?:cuesta|cobran|vale|sale|es)|costos?|tarifas?|pago particular|cobran)\b/,
  ],
  [
    "telehealth",
    /\b(?:tele ?health|tele ?medicine|tele ?visits?|video(?: ?(?:visits?|calls?|appointments?|chat))?|virtual(?:ly)?|online (?:visits?|appointments?)|zoom|remote(?:ly)?|telesalud|telemedicina|video ?(?:llamadas?|consultas?|citas?)|(?:consultas?|citas?) (?:en linea|virtual(?:es)?)|a distancia)\b/,
  ],
  [
    "whatToBring",
    /\b(?:(?:what|anything|something|which)\b.{0,40}\b(?:bring|take along|have with me|prepare)|(?:things |documents )?to bring|paperwork|(?:que|cuales|algo)\b.{0,30}\b(?:traer|llevar)|traer|documentos|papeles)\b|^bring$/,
  ],
  [
    "languages",
    new RegExp(
      `\\b(?:languages?|(?:speaks?|speaking|in) (?:${anyLanguageName}|other)|(?:${anyLanguageName}) (?:speak(?:er|ers|ing)|interpreter)|interpret(?:er|ers|ing|ation)|translat(?:or|ors|ion)|sign language|idiomas?|lenguaje de senas|(?:hablan?|hablas|hablar|en) (?:${anyLanguageName}|otros?)|interpretes?|traductor(?:es|as?)?)\\b`,
    ),
  ],
  [
    "parking",
    /\b(?:(?:where|place) (?:do|can|should|could|to|would) ?(?:i|we|you)? ?park|park(?:ing)?(?: (?:lot|garage|spots?|spaces?))?|garage|valet|handicap(?:ped)? (?:spots?|spaces?)|(?:donde (?:me |nos )?(?:puedo |podemos |se puede )?)?(?:estacionar(?:me|nos|se)?|aparcar|parquear(?:me)?)|estacionamientos?|aparcamientos?|parqueos?|parqueaderos?)\b/,
  ],
  [
    "directions",
    /\b(?:directions?|(?:how )?(?:do|can|would|should|to) ?(?:i|we|you)? ?(?:get|find|come|drive)(?: (?:there|here|to (?:you|your|the)|the (?:office|clinic|place|building)))|get there|bus(?:es)?|train|subway|metro|highway|freeway|exit|landmarks?|public transport(?:ation)?|transit|entrance|which floor|what floor|elevator|como (?:llego|llegar|llegamos|se llega)|indicaciones|autobus|camion|tren|que piso|entrada)\b/,
  ],
  [
    "insurance",
    /\b(?:insur(?:ance|ances|er|ers|ed)|in ?network|out of network|medicaid|medicare|medi cal|tricare|aetna|anthem|blue (?:cross|shield)|bcbs|cigna|united ?health ?care|uhc|humana|kaiser|molina|ambetter|health plans?|plans?|hmo|ppo|coverage|seguros?|aseguranzas?|cobertura|polizas?)\b/,
  ],
  [
    "phone",
    /\b(?:(?:tele)?phone(?: numbers?)?|number to (?:call|reach)|(?:call|reach|contact) (?:you|the (?:office|clinic))|telefonos?|numero)\b/,
  ],
  ["email", /\b(?:e ?mail(?: address)?|correo(?: electronico)?)\b/],
  [
    "hours",
    /\b(?:how (?:late|early) (?:are|do|will) (?:you|yall)|when (?:are|is) (?:you|the (?:office|clinic)|yall) (?:there|in)|(?:business|office|opening|working|clinic) hours|hours?|open(?:s|ed|ing)?|clos(?:e|es|ed|ing)|holidays?|weekends?|horarios?|a que hora|(?:abre|abren|abierto|abierta|abiertos|abiertas|atienden|cierra|cierran|cerrado|cerrada|cerrados)|feriados?|dias? festivos?|fin(?:es)? de semana)\b/,
  ],
  [
    "address",
    /\b(?:address|where|wheres|located|location|street|zip ?code|cross streets?|near(?:est)?|direccion|donde|ubicad[oa]s?|ubicacion|domicilio|queda|calle|codigo postal)\b/,
  ],
];

/** The topics of a caller's question about the office, in the order in which they are asked. */
export function readOfficeTopics(said: string): OfficeTopic[] {
  let rest = normalizeName(said);
  const found: { topic: OfficeTopic; at: number }[] = [];
  for (const [topic, words] of topicWords) {
    const { index: at } = words.exec(rest) ?? {};
    if (at === undefined) continue;
    found.push({ topic, at });
    rest = rest.replace(new RegExp(words, "g"), (read) => " ".repeat(read.length));
  }
  return found.toSorted((a, b) => a.at - b.at).map(({ topic }) => topic);
}
