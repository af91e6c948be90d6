import type { Language } from "../numbers.ts";

const lexicon = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Words beside a day or time that leave its meaning as it is. */
const neutral: Record<Language, ReadonlySet<string>> = {
  en: lexicon(
    "a about absolutely again ah all alright also am an and any anything anytime appointment appointments are around asap at " +
      "available awesome be because been best better book booking but by call can chance check checking come coming convenient " +
      "cool could day days definitely did do doable doctor does doing dont early earlier easier easiest either else er even " +
      "ever exactly fantastic fine first fit flexible for free fri from get getting give go going good got grab great guess had " +
      "happy has have having hello hey hi hm hmm honestly hope hopefully hoping hour hours i id ideal ideally if ill im in " +
      "instead interested is it its ive just kind know last late later let lets like likely looking lot love lovely maam make " +
      "making may maybe me mean meet might mine minute miss mm more morning most much my myself need needed needing nice nicely " +
      "no now of office oh ok okay on once one only onto open opening openings or ours out over perfect perfectly pick place " +
      "please pleased possible possibly pref prefer preferable preferably preferred pretty probably put really right said say " +
      "saying schedule see seems set sharp should shoot sir slot slots so some something sometime soon sort sounds spot spots " +
      "still suit suits super sure take taking thank thanks that thats the them then there theres they thing think thinking " +
      "this though time times to today too totally try trying uh uhm um until up us usually very visit wait want wanted wanting " +
      "was we week well were what when where which will with wonderful work works would wouldnt yeah yep yes " +
      "yet you your youre youve dot",
  ),
  es: lexicon(
    "a agendar ah ahi ahora al algo alguna alguno an apartar aqui asi at aunque bien bueno buena buenas buenos cita citas " +
      "claro como con conmigo conviene cosa creo cual cualquier cualquiera da dar darme de deme del desde dia dias digamos " +
      "doctor doctora dot eh el ella en entonces eres es esa ese eso espacio espero esta estaria este esto exactamente favor " +
      "fijese gracias gusta gustaria habra hacer hay he hola hora horario horas horita igual in importa ir iria la las le les " +
      "libre lista listo lo los lugar manana mas me mejor mi mientras mire mismo momento muy necesitamos necesito ninguna no " +
      "nochebuena nos o of oiga on pasar pedir perfecto perfectamente pienso poder podemos podria podriamos ponga por porque " +
      "posible pref preferencia preferente preferiblemente prefiero preferiria pudiera puede pueden puedo pues que queda " +
      "quedaria quiero quisiera quizas reservar sacar se sea seguro senor senora senorita ser seria si sin sirve so son su " +
      "supongo tal tarde temprano tempranito ten tenga tengan tiene tienen tipo to todo tomar una unas uno unos un usted " +
      "ustedes va vale ver vez viene voy y ya yo ratito rato entra casi para mera mero apenitas solo solamente",
  ),
};

const doctor = /(?<!\w)(?:dr|dra|doctor|doctora) [a-z]+(?: [a-z]+)?(?!\w)/g;
/** Purposes: "for my checkup", "with Doctor Larkmere", "para mi hija". */
const purpose: Record<Language, RegExp> = {
  en: /(?<!\w)(?:for|about|with|to see|see|regarding) (?:(?:my|our|a|an|the|his|her|dr|doctor|some) )*[a-z]+(?: (?:visit|appointment|checkup|shot|exam|test|work))?(?!\w)/g,
  es: /(?<!\w)(?:para|con|sobre|ver a|por) (?:(?:mi|mis|el|la|los|las|un|una|su|dr|dra|doctor|doctora) )*[a-z]+(?!\w)/g,
};

/** The subject of a statement, without which other words only decorate: "Tuesday, checkup". Spanish verbs need none. */
const subject =
  /(?<!\w)(?:i|im|ive|id|ill|we|were|weve|my|our|he|hes|she|shes|they|their|his|her|is|are|was|isnt|arent|its|thats|be|theres|there|has|have|got|hate|hates)(?!\w)/;

/**
 * Whether what was said beside the days and times may turn them around: "I'm swamped Monday", "Monday is my wedding", "el lunes viajo".
 * Then the caller is asked.
 */
export function mayTurnAround(left: string, language: Language): boolean {
  const rest = left.replace(doctor, " ").replace(purpose.en, " ").replace(purpose.es, " ");
  if (language === "en" && !subject.test(rest)) return false;
  // Spanish is read in English words where it names days and times.
  return rest.split(/[\s;]+/).some((word) => word !== "" && !neutral[language].has(word) && !neutral.en.has(word));
}
