import { emergencyLines } from "../emergency/find-emergency.ts";
import type { Phrasing } from "../sdk/phrasing.ts";
import { askForCallback } from "../speech/call-lines.ts";
import { connectingWith } from "../speech/destination-name.ts";
import type { Output } from "./schema.ts";

export function speak({ outcome, destinations: [first], opensAt, noted: isNoted, full }: Output, phrasing: Phrasing): string {
  const { say, onTime } = phrasing;
  if (outcome === "emergency") return say(emergencyLines.medical);
  if (full === "hour")
    return say({
      en: "I can't take down any more messages from this line at the moment. Please call the office directly.",
      es: "En este momento no puedo tomar más mensajes de esta línea. Por favor llame directamente al consultorio.",
    });
  if (full)
    return say({
      en: "The office has what you've told me already, and that is as much as I can note in one call.",
      es: "El consultorio ya tiene lo que me dijo, y no puedo anotar más en una sola llamada.",
    });
  const opens = opensAt
    ? say({
        en: ` The office opens again ${onTime(opensAt.at, opensAt.timeZone)}.`,
        es: ` El consultorio vuelve a abrir ${onTime(opensAt.at, opensAt.timeZone)}.`,
      })
    : "";
  const kept = say({
    en: "Thank you, I've noted your name and how to reach you for the office.",
    es: "Gracias, anoté su nombre y cómo contactarle para el consultorio.",
  });
  switch (outcome) {
    case "transferred": {
      const connecting = connectingWith(first?.label ?? "the office", phrasing);
      return isNoted ? `${kept} ${connecting}` : connecting;
    }
    case "callback":
      if (isNoted) return `${kept}${opens}`;
      return `${unreachable(opensAt, phrasing)} ${say(askForCallback)}`;
    case "resolved":
    case "voicemail":
    case "other":
      if (isNoted) return `${kept}${opens}`;
      return say({ en: "Thank you. Is there anything else I can help you with?", es: "Gracias. ¿Hay algo más en lo que pueda ayudarle?" });
  }
}

function unreachable(opensAt: Output["opensAt"], { say, onTime }: Phrasing): string {
  if (!opensAt) return say({ en: "No one can take your call right now.", es: "En este momento nadie puede atender su llamada." });
  const time = onTime(opensAt.at, opensAt.timeZone);
  return say({
    en: `I can't put you through right now, because the office is closed. It opens again ${time}.`,
    es: `En este momento no puedo comunicarle porque el consultorio está cerrado. Vuelve a abrir ${time}.`,
  });
}
