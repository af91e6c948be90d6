import { toolTitles } from "@vitaline/contract";

/** In words; a tool that is no longer there has its name taken apart. */
export const toolTitle = (name: string): string => {
  if (Object.hasOwn(toolTitles, name)) return toolTitles[name] ?? name;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** In a sentence: "Send a text message (sendSMS)". */
export const toolInText = (name: string): string => `${toolTitle(name)} (${name})`;
