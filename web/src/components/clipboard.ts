/** The browser or the person refused the clipboard: what is to be copied can still be selected. */
export class ClipboardRefused extends Error {
  constructor(cause: unknown) {
    super("The clipboard could not be written.", { cause });
    this.name = "ClipboardRefused";
  }
}

/** Safari forgets the click while a text is on its way, unless the clipboard is given the promise of it. */
const writePromised = (promised: Promise<string>): Promise<void> =>
  navigator.clipboard.write([new ClipboardItem({ "text/plain": promised.then((text) => new Blob([text], { type: "text/plain" })) })]);

/** Puts a text into the clipboard, read first if it is not here yet. Throws ClipboardRefused, or why it could not be read. */
export const copyText = async (text: string | (() => Promise<string>)): Promise<void> => {
  const promised = typeof text === "string" ? Promise.resolve(text) : text();
  try {
    await (typeof text === "string" ? navigator.clipboard.writeText(text) : writePromised(promised));
  } catch (error) {
    await promised;
    throw new ClipboardRefused(error);
  }
};
