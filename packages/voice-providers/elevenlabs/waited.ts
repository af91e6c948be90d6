import type { Turn } from "./conversation.ts";

/**
 * How many milliseconds the caller waited for this turn: from their silence to the agent's voice; where the platform does not measure
 * it whole, from the model's start to that.
 */
export const waited = (turn: Turn): number | undefined => {
  const metrics = turn?.conversation_turn_metrics;
  const {
    convai_ttf_audio_since_silence: whole,
    convai_llm_service_ttf_sentence: sentence,
    convai_tts_service_ttfb: voice,
  } = metrics?.metrics ?? metrics ?? {};
  const seconds =
    whole?.elapsed_time ?? (sentence?.elapsed_time === undefined ? undefined : sentence.elapsed_time + (voice?.elapsed_time ?? 0));
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
};
