import type { Language } from "../spoken/numbers.ts";
import { languageOf, plainText } from "../spoken/when/plain-text.ts";

const spanishOnly =
  /[¿¡ñáéíóú]|\b(?:donde|estan|queda|direccion|horarios?|abren?|cierran?|atienden|seguros?|aseguranza|aceptan|toman|tienen|hablan?|cuanto|cuesta|cobran|traer|llevar|como llego|como llegar|estacion\w+|ustedes)\b/i;

/** The language of the caller's words; English where they do not tell. */
export const languageFrom = (said = ""): Language => (spanishOnly.test(said) ? "es" : (languageOf(plainText(said)) ?? "en"));
