/** What keeps the platform from starting, in one sentence for the person at the terminal. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "StartError";
  }
}
