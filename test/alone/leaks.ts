import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Values that must not leak, by name. `kind` selects the searched encodings. */
export type Planted = Record<string, { kind: "text" | "phone" | "date"; value: string }>;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/** Base64 of a text at each of three alignments, without the characters that depend on its neighbors. */
const inBase64 = (text: string): string[] =>
  ["", "x", "xx"].flatMap((before) => {
    const whole = Buffer.from(before + text)
      .toString("base64")
      .replace(/=+$/, "");
    const inside = whole.slice(before.length === 0 ? 0 : before.length + 1, Math.floor((before.length + Buffer.byteLength(text)) / 3) * 4);
    return [inside, inside.replaceAll("+", "-").replaceAll("/", "_")];
  });

const formsOfText = (text: string): RegExp[] => {
  const plain = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), new URLSearchParams({ q: text }).toString().slice(2)];
  const coded = [...inBase64(text), Buffer.from(text).toString("hex")];
  return [
    ...plain.map((form) => new RegExp(escaped(form), "i")),
    ...coded.filter((form) => form.length > 7).map((form) => new RegExp(escaped(form))),
  ];
};

const formsOfPhone = (phone: string): RegExp[] => {
  const digits = phone.replace(/\D/g, "").slice(-10);
  return [new RegExp([...digits].join("(?:[-.()+ ]|%20|%2B){0,2}"))];
};

const formsOfDate = (date: string): RegExp[] => {
  const [year = "", month = "", day = ""] = date.split("-");
  const [shortMonth, shortDay] = [Number(month), Number(day)];
  const name = months[shortMonth - 1];
  return [
    `(?<!\\d)${year}[-/.]?${month}[-/.]?${day}(?!\\d)`,
    `(?<!\\d)0?${shortMonth}[-/.]0?${shortDay}[-/.]${year}`,
    `${name} 0?${shortDay}(st|nd|rd|th)?,? ${year}`,
  ].map((form) => new RegExp(form, "i"));
};

const formsOf = { text: formsOfText, phone: formsOfPhone, date: formsOfDate };

/** Returns the names of the planted values that a text contains in any encoding. */
export function watchFor(planted: Planted): (text: string) => string[] {
  const watched = Object.entries(planted).map(([name, { kind, value }]) => ({ name, forms: formsOf[kind](value) }));
  return (text) => watched.filter(({ forms }) => forms.some((form) => form.test(text))).map(({ name }) => name);
}

export const leaksIn = (watch: ReturnType<typeof watchFor>, places: Iterable<[place: string, text: string]>): string[] =>
  [...places].flatMap(([place, text]) => watch(text).map((name) => `${name} in ${place}: ${text.slice(0, 300)}`));

/** A proxy in front of an EHR that records request addresses like an access log. */
export async function startWatchedEhr() {
  const addresses: string[] = [];
  let target = "";
  const server = createServer((incoming, outgoing) => {
    addresses.push(`${incoming.method} ${incoming.url}`);
    const passed = request(
      target + incoming.url,
      { method: incoming.method, headers: { ...incoming.headers, host: new URL(target).host } },
      (answer) => {
        void textOf(answer).then((text) => {
          // Page links contain the EHR's own address
          const { "content-length": _length, ...headers } = answer.headers;
          outgoing.writeHead(answer.statusCode ?? 502, headers).end(text.replaceAll(`${target}/r4`, `${origin}/r4`));
        });
      },
    );
    passed.on("error", () => incoming.socket.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    addresses,
    pass: (to: string) => void (target = to),
    close: () => new Promise((resolve) => void server.close(resolve).closeAllConnections()),
  };
}

const textOf = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
