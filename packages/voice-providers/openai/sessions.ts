import { type Language, mcp } from "@vitaline/contract";
import { defaultLanguageOf } from "@vitaline/offices";
import * as z from "zod/mini";
import { text } from "../decoding/fields.ts";
import type { AnsweringAgent } from "../voice-platform.ts";

const Settings = z.object({ instructions: text, backendModel: text });
const settingsOf = ({ provider }: AnsweringAgent) => z.safeParse(Settings, JSON.parse(provider.settings)).data ?? {};

const placeOf = ({ office, tenant }: AnsweringAgent): string => office?.name ?? tenant.name;

const languages: Record<Language, string> = { en: "English", es: "Spanish" };

/** Begins in the usual language of the office: no one knows the caller's yet. */
const conversation = (answering: AnsweringAgent): string => {
  const name = placeOf(answering);
  const language = languages[defaultLanguageOf(answering.tenant, answering.office)];
  return [
    `You answer the telephone for ${name}. Speak first: say that the caller has reached ${name}, and ask how you can help.`,
    `Begin in ${language}, then speak the caller's language.`,
    "Be brief, friendly and clear, and ask for one thing at a time.",
  ].join(" ");
};

const business = [
  "Before anything about a patient is said or done, verify the caller with verifyPatientIdentity.",
  "Use the tools for every fact and every change, and tell the caller what a tool's answer holds in `speech`. Never make up an answer.",
  "When the caller needs a person, say that you will see who is available, then call logRoutingEvent with outcome transferred:",
  "if someone is on duty, it puts the call through at once. If no one is, say its sentence and take the caller's name and number.",
  "When the caller needs nothing more, say goodbye, then call endCall.",
].join(" ");

const mcpUrl = (origin: string, { tenant, office }: AnsweringAgent): string => {
  const { path } = office ? mcp.mcpOffice : mcp.mcpTenant;
  return origin + path.replace("{tenantId}", tenant.id).replace("{officeId}", office?.id ?? "");
};

type SessionEndpoint = { origin: string; callToken: string };

const toolsFor = (answering: AnsweringAgent, { origin, callToken }: SessionEndpoint) => ({
  type: "mcp" as const,
  server_label: "vitaline",
  server_url: mcpUrl(origin, answering),
  authorization: callToken,
  require_approval: "never" as const,
});

/** Source: openai 7.55.0 CallAcceptParams. */
export function sessionFor(answering: AnsweringAgent, endpoint: SessionEndpoint) {
  const { agent, provider } = answering;
  return {
    type: "realtime" as const,
    model: provider.model ?? agent.externalAgentId,
    instructions: settingsOf(answering).instructions ?? `${conversation(answering)} ${business}`,
    ...(provider.voice ? { audio: { output: { voice: provider.voice } } } : {}),
    tools: [toolsFor(answering, endpoint)],
  };
}

const isLiveModel = (model: string): boolean => model.startsWith("gpt-live");
const liveModel = "gpt-live-1";
const backendModel = "gpt-5.5";

/**
 * The Live model speaks and leaves tools to a Responses model, `backendModel` in the provider's settings. Source: openai 7.55.0
 * SessionAcceptParams, OpenAI's page on Live delegation.
 */
export function liveSessionFor(answering: AnsweringAgent, endpoint: SessionEndpoint) {
  const { agent, provider } = answering;
  const settings = settingsOf(answering);
  const named = [provider.model ?? "", agent.externalAgentId].find(isLiveModel);
  return {
    session: {
      type: "live" as const,
      model: named ?? liveModel,
      instructions: settings.instructions ?? `${conversation(answering)} Delegate every request to the backend.`,
      ...(provider.voice ? { audio: { output: { voice: provider.voice } } } : {}),
      delegation: {
        type: "responses" as const,
        responses: {
          model: settings.backendModel ?? backendModel,
          instructions: business,
          tools: [toolsFor(answering, endpoint)],
        },
      },
    },
  };
}
