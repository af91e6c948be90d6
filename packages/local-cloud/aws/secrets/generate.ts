import { randomInt } from "node:crypto";
import type { SecretDefinition } from "../types.ts";

const CLASSES = {
  ExcludeLowercase: "abcdefghijklmnopqrstuvwxyz",
  ExcludeUppercase: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  ExcludeNumbers: "0123456789",
  ExcludePunctuation: "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
} as const;

/** A value as GenerateSecretString makes it: a password, alone or inside a JSON template. */
export function generateSecret(options: NonNullable<SecretDefinition["generate"]>): string {
  const password = generatePassword(options);
  if (!options.SecretStringTemplate || !options.GenerateStringKey) return password;
  const template = JSON.parse(options.SecretStringTemplate) as Record<string, unknown>;
  return JSON.stringify({ ...template, [options.GenerateStringKey]: password });
}

function generatePassword(options: NonNullable<SecretDefinition["generate"]>): string {
  const excluded = new Set(options.ExcludeCharacters ?? "");
  const names = Object.keys(CLASSES) as (keyof typeof CLASSES)[];
  const letters = names
    .filter((name) => !options[name])
    .map((name) => CLASSES[name])
    .join("");
  const alphabet = [...letters, ...(options.IncludeSpace ? " " : "")].filter((letter) => !excluded.has(letter));
  if (alphabet.length === 0) throw new Error("GenerateSecretString excludes every character");
  return Array.from({ length: options.PasswordLength ?? 32 }, () => alphabet[randomInt(alphabet.length)]).join("");
}
