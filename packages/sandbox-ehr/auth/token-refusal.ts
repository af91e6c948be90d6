/** Errors of the token endpoint: RFC 6749 section 5.2. */
export class TokenRefusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }
}

export const invalidClient = (text: string): never => {
  throw new TokenRefusal(401, "invalid_client", text);
};
