/** An error as AWS sends it: HTTP status, code, sentence, and further fields of the body. */
export class AwsError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, unknown>;

  constructor(status: number, code: string, message: string, fields: Record<string, unknown> = {}) {
    super(message);
    this.name = "AwsError";
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}
