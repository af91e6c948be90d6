/** What API Gateway hands a function: HTTP API payload format 2.0, as far as it is read. */
export type HttpEvent = {
  /** "GET /api/auth/me" or "$default". */
  routeKey: string;
  rawPath: string;
  rawQueryString: string;
  /** Names in lower case; repeated headers joined by a comma. */
  headers: Record<string, string | undefined>;
  /** "name=value", which the headers then do not hold. */
  cookies?: readonly string[];
  pathParameters?: Record<string, string | undefined>;
  queryStringParameters?: Record<string, string | undefined>;
  body?: string;
  isBase64Encoded: boolean;
  requestContext: { domainName: string; http: { method: string; sourceIp: string } };
};

export type HttpAnswer = { statusCode: number; headers: Record<string, string>; body: string };

export type Invocation = { awsRequestId: string; functionName: string; invokedFunctionArn: string; getRemainingTimeInMillis(): number };
