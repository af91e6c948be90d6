import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "@vitaline/core";
import type { UserRow } from "@vitaline/store";
import type { AccountContext } from "@vitaline/store/scoped.ts";

const derive = promisify(argon2);

/** argon2id, 64 MiB, three passes: above every minimum of OWASP ASVS 5.0 appendix C. */
const cost = { memory: 65_536, passes: 3, parallelism: 1 };
const hashBytes = 32;

const unpadded = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

/** A PHC string (`$argon2id$v=19$m=…,t=…,p=…$salt$hash`), so that costs can rise without a migration. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive("argon2id", { message: password.normalize("NFKC"), nonce: salt, tagLength: hashBytes, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Unknown users cost the same time as known ones. */
const dummyHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(Buffer.alloc(16, 1))}$${unpadded(Buffer.alloc(hashBytes, 2))}`;

/** Without a hash it takes as long and is false. */
export async function verifyPassword(password: string, storedHash: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = "", wanted = ""] = phc.exec(storedHash ?? dummyHash) ?? [];
  const hash = await derive("argon2id", {
    message: password.normalize("NFKC"),
    nonce: Buffer.from(salt, "base64"),
    tagLength: hashBytes,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(hash, Buffer.from(wanted, "base64")) && storedHash !== undefined;
}

const commonWords = [
  "password",
  "passwort",
  "qwertyuiop",
  "qwerty",
  "asdfghjkl",
  "letmein",
  "welcome",
  "iloveyou",
  "administrator",
  "admin",
  "changeme",
  "trustno",
  "sunshine",
  "princess",
  "football",
  "baseball",
  "superman",
  "starwars",
  "whatever",
  "vitaline",
  "healthcare",
  "hospital",
  "clinic",
  "doctor",
  "patient",
  "temporary",
  "default",
  "secret",
  "summer",
  "winter",
  "spring",
  "autumn",
  "dragon",
  "monkey",
  "master",
  "shadow",
  "michael",
  "charlie",
  "jordan",
  "hunter",
  "access",
];
const leet: Record<string, string> = { "0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", $: "s", "!": "i" };

const plainLetters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "");
const leetLetters = (text: string): string => plainLetters([...text.toLowerCase()].map((c) => leet[c] ?? c).join(""));
const isMonotone = (text: string): boolean => new Set(text).size < 5;
const isRun = (text: string): boolean =>
  "abcdefghijklmnopqrstuvwxyz01234567890123456789qwertyuiopasdfghjklzxcvbnm".includes(text.toLowerCase());

const isDecoratedWord = (letters: string, words: string[]): boolean => {
  const rest = words.reduce((text, word) => text.replaceAll(word, ""), letters);
  return rest.length < 4 && rest.length < letters.length;
};

/** `personal` are names that make a password easy to guess. AppError `invalid_request` naming the `field`. */
export function refuseCommonPassword(password: string, personal: readonly string[], field = "password"): void {
  const words = [...commonWords, ...personal.flatMap((text) => text.split(/[\s@.]+/).map(plainLetters)).filter((word) => word.length >= 4)];
  const common =
    isMonotone(password) ||
    isRun(password) ||
    [plainLetters(password), leetLetters(password)].some((letters) => isDecoratedWord(letters, words));
  if (common)
    throw new AppError("invalid_request", "This password is too easy to guess. Please choose another one.", {
      fields: { [field]: "Is too easy to guess" },
    });
}

export const personalWords = (
  { email, firstName, lastName }: Pick<UserRow, "email" | "firstName" | "lastName">,
  tenantName = "",
): string[] => [email, firstName, lastName, tenantName];

/** A password set by an administrator must be changed; one set by a platform command need not. */
export const passwordChangeRequired = ({ actor }: AccountContext): { mustChangePassword?: true } =>
  actor.kind === "user" ? { mustChangePassword: true } : {};
