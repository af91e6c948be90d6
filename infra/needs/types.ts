/**
 * What is sealed in the vault, by the `purpose` in KMS's encryption context. "webhook": the secret with which a voice platform signs
 * what it sends us; "webhook-signing": the secret with which we sign what a tenant's own webhooks are sent.
 */
export type Purpose = "tenant-api-key" | "voice-provider-key" | "webhook" | "webhook-signing" | "totp" | "phi" | "fhir-token" | "contact";

/** Everything a function may touch. Its role and its environment are made from this and from nothing else. */
export type Needs = {
  /** Patterns of partition keys: Get, BatchGet and Query; then Put, Update and ConditionCheck; then Delete. */
  reads?: readonly string[];
  writes?: readonly string[];
  deletes?: readonly string[];
  /** Lists calls and tool runs by time over gsi1. */
  callIndex?: true;
  /** Puts audit rows; nobody may change or delete one. */
  audits?: true;
  seals?: readonly Purpose[];
  opens?: readonly Purpose[];
  /** Client secrets, private keys and refresh tokens of EHRs: makes, replaces and reads them, or reads them and replaces refresh tokens, or deletes them. */
  fhirSecrets?: "manage" | "use" | "delete";
  /** Puts sealed files and asks what lies under a name; their key would not let it read one. */
  files?: true;
  sessionKey?: "verify" | "sign";
  /** Reads sealed files: puts together with `opens: ["phi"]`. */
  filesRead?: true;
  /** Changes for how long the bucket keeps a file of a call. */
  filesKept?: true;
  /** Asks whether the files bucket answers. */
  filesProbed?: true;
  /** Exports lie in the files bucket: writes them, makes links to them. */
  exportFiles?: readonly ("write" | "link")[];
  /** So do the copies that are made before an erasure, under a prefix of their own. */
  erasureCopies?: "write" | "link";
  /** Starts functions/events/export. */
  startsExport?: true;
  /** Starts functions/events/erase. */
  startsErase?: true;
  /** Reads sealed files of calls and kept events; deletes those and exports, and lists which there are. */
  filesErased?: true;
  /** Signs certificates of erasures. */
  certifies?: true;
  /** Starts functions/events/retain. */
  startsRetain?: true;
  /** Starts functions/events/deliver. */
  startsDeliver?: true;
  /** Asks functions/site what anybody may ask it, to see that the API answers. */
  asksSite?: true;
  /** Puts the chained audit into the bucket that forgets nothing. */
  archive?: true;
  /** Sends mail as the platform; "files": also with something attached. */
  mail?: true | "files";
  /** Sends text messages from the stage's number. */
  sms?: true;
  /** Tells visitors how to reach the people behind the platform. */
  publicConfig?: true;
  /** Run-time signing keys of the platform: make and try them, or sign with them. */
  platformKeys?: "create" | "sign";
  /** Calls addresses that somebody typed. */
  outbound?: true;
  /** Answers HTTP: knows the edge's secret and the public origin. */
  http?: true;
  /** Lists by pages, whose cursors are sealed under the app secret. */
  cursors?: true;
  /** What its Node is started with, where Lambda's own bounds for the size of the function are too wide. */
  nodeOptions?: string;
};
