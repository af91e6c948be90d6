/** The text of a tool answer that Vapi puts before the model: a sentence, or JSON with the sentence and its data. */
export const seenByVapiModel = (line: string): { speech: string; data?: unknown } =>
  line.startsWith("{") ? (JSON.parse(line) as { speech: string; data?: unknown }) : { speech: line };
