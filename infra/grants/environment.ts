import type { Needs } from "../needs/index.ts";
import { appSecretsOf } from "./secrets-manager.ts";
import { appSecretVariables, fhirSecretPrefix, liveName, configurationSetName, tenantSecretPrefix } from "../resources/names.ts";
import type { DataResources } from "../resources/data-resources.ts";

const usesFiles = (needs: Needs): unknown =>
  needs.files ?? needs.filesRead ?? needs.filesKept ?? needs.filesErased ?? needs.filesProbed ?? needs.exportFiles ?? needs.erasureCopies;

/** The environment variables of a function; only those that its needs require. */
export function environmentFor(own: Needs, data: DataResources): Record<string, string> {
  const { settings } = data;
  const needs: Needs = { ...own.tenant, ...own };
  const createsSecrets = needs.fhirSecrets === "manage" ? true : undefined;
  const entries: (readonly [name: string, wanted: unknown, value: string | undefined])[] = [
    ["TABLE_NAME", needs.reads ?? needs.writes, data.served.tableName],
    ["VAULT_KEY_ARN", needs.seals ?? needs.opens ?? createsSecrets, data.vaultKey.keyArn],
    ["FILES_BUCKET", usesFiles(needs), data.files.bucketName],
    ["ARCHIVE_BUCKET", needs.archive, data.archive.bucketName],
    ["EXPORT_FUNCTION", needs.startsExport, liveName("events/export", data)],
    ["ERASE_FUNCTION", needs.startsErase, liveName("events/erase", data)],
    ["CERTIFICATE_KEY_ARN", needs.certifies, data.certificateKey.keyArn],
    ["RETAIN_FUNCTION", needs.startsRetain, liveName("events/retain", data)],
    ["DELIVER_FUNCTION", needs.startsDeliver, liveName("events/deliver", data)],
    ["OWN_FUNCTION", needs.startsItself, needs.startsItself && liveName(needs.startsItself, data)],
    ["SITE_FUNCTION", needs.asksSite, liveName("site", data)],
    ["MAIL_FROM", needs.mail, settings.mailFrom],
    ["MAIL_CONFIGURATION_SET", needs.mail, settings.mailFrom && configurationSetName(data)],
    ["SMS_ORIGINATION", needs.sms, settings.smsOrigination],
    ["SMS_CONFIGURATION_SET", needs.sms, settings.smsOrigination && configurationSetName(data)],
    ["SUPPORT_EMAIL", needs.mail ?? needs.publicConfig, settings.support.email],
    ["SUPPORT_PHONE", needs.publicConfig, settings.support.phone],
    ["PROMOTION_REMAINING", needs.publicConfig, settings.promotionRemaining?.toString()],
    ["DEMO_SCHEDULING_URL", needs.publicConfig, settings.demoSchedulingUrl],
    ["SYSTEM_ADMIN_TOTP", needs.sessionKey === "sign" ? true : undefined, settings.requiresTotp ? "required" : undefined],
    ["STAGE", needs.platformKeys === "create" ? true : undefined, settings.stage],
    ["FHIR_SECRET_PREFIX", createsSecrets, fhirSecretPrefix(settings.stage)],
    ["TENANT_SECRET_PREFIX", createsSecrets, tenantSecretPrefix(settings.stage)],
    ...appSecretsOf(needs).map((name) => [appSecretVariables[name], true, data.appSecrets[name].secretArn] as const),
    ["APP_SECRET_SECONDS", appSecretsOf(needs)[0], String(data.settings.appSecretSeconds)],
    // The outbound guard recognizes our own address by it.
    ["PUBLIC_ORIGIN", needs.http ?? needs.outbound, settings.domain && `https://${settings.domain}`],
    // Source: bootstrap of Lambda's Node 24, which sets no memory limits of its own.
    ["NODE_OPTIONS", needs.nodeOptions, needs.nodeOptions],
    ["EGRESS_LOOPBACK_ORIGINS", needs.outbound, settings.egressLoopbackOrigins.join(",") || undefined],
  ];
  return Object.fromEntries(
    entries.flatMap(([name, wanted, value]) => (wanted !== undefined && value !== undefined ? [[name, value]] : [])),
  );
}
