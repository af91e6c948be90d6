import type { FunctionName } from "../config/functions.ts";
import type { AppSecret } from "../resources/names.ts";

/**
 * Purposes in the vault key's KMS encryption context. "webhook": secrets with which voice platforms sign requests to us;
 * "webhook-signing": secrets with which we sign requests to tenants' webhooks.
 */
export type Purpose = "tenant-api-key" | "voice-provider-key" | "webhook" | "webhook-signing" | "totp" | "phi" | "fhir-token" | "contact";

/** The rights to one tenant's data. Of a pattern for any tenant the role gets the partitions of the session's tenant. */
export type TenantNeeds = Pick<
  Needs,
  "reads" | "writes" | "deletes" | "callIndex" | "audits" | "seals" | "opens" | "files" | "filesRead" | "fhirSecrets"
>;

/** Everything that a function may access. Its roles and its environment are derived from this alone. */
export type Needs = {
  /**
   * What the function reaches through a role session tagged with the tenant; then its own role has no right to a tenant's data. Shared
   * partitions stand here if the tenant's handle reaches them: lookups and queues that are written together with a tenant's rows.
   */
  tenant?: TenantNeeds;
  /** Partition key patterns. reads: GetItem, BatchGetItem, Query. writes: PutItem, UpdateItem, ConditionCheckItem. deletes: DeleteItem. */
  reads?: readonly string[];
  writes?: readonly string[];
  deletes?: readonly string[];
  /** Queries gsi1, which lists calls and older tool runs by time. */
  callIndex?: true;
  /** Puts audit rows; "platform": none of a tenant. No function may change or delete them. */
  audits?: true | "platform";
  seals?: readonly Purpose[];
  opens?: readonly Purpose[];
  /** Secrets of EHRs. manage: create, replace and read; use: read, and replace refresh tokens; delete. */
  fhirSecrets?: "manage" | "use" | "delete";
  /** Puts encrypted files and checks their existence, without the right to decrypt them. */
  files?: true;
  sessionKey?: "verify" | "sign";
  /** Reads encrypted files, together with `opens: ["phi"]`. */
  filesRead?: true;
  /** Changes the retention tag of call files. */
  filesKept?: true;
  /** Checks that the files bucket answers. */
  filesProbed?: true;
  /** Writes exports into the files bucket, or reads them and creates links to them. */
  exportFiles?: readonly ("write" | "link")[];
  /** The same for copies made before erasures. */
  erasureCopies?: "write" | "link";
  startsExport?: true;
  startsErase?: true;
  /** Lists and reads encrypted files of calls and kept events; deletes them and exports. */
  filesErased?: true;
  certifies?: true;
  startsRetain?: true;
  startsDeliver?: true;
  /** Starts other invocations of itself with shares of its work; the function's own name. */
  startsItself?: FunctionName;
  /** One invocation after another continues the same work, more often than Lambda takes for a loop. */
  continuesItself?: true;
  /** Invokes functions/site to check that the API answers. */
  asksSite?: true;
  /** Appends to the audit archive, or verifies it. */
  archive?: "write" | "read";
  /** Sends mail; "files": with attachments. */
  mail?: true | "files";
  sms?: true;
  /** Serves the public configuration, such as support contacts. */
  publicConfig?: true;
  /** Platform signing keys created at run time: create and test them, or sign with them. */
  platformKeys?: "create" | "sign";
  /** Calls addresses entered by users. */
  outbound?: true;
  /** Serves HTTP: reads the edge secret, and gets the public origin. */
  http?: true;
  /** tokens: signs call tokens and MCP handles; cursors: returns page cursors; hashes: finds rows by keyed hashes. */
  secrets?: readonly Exclude<AppSecret, "edge" | "sessions">[];
  /** NODE_OPTIONS, where V8's limits do not suit the function's memory size. */
  nodeOptions?: string;
};
