import { DescribeCertificateCommand } from "@aws-sdk/client-acm";
import { GetHostedZoneCommand, ListResourceRecordSetsCommand } from "@aws-sdk/client-route-53";
import { mailIdentity } from "../config/settings.ts";
import { type Check, found } from "./clients.ts";

export const checkCertificate: Check = async ({ acm }, { certificateArn, domain }) => {
  if (certificateArn === undefined || domain === undefined) return [];
  const { Certificate } = (await found(acm.send(new DescribeCertificateCommand({ CertificateArn: certificateArn })))) ?? {};
  if (!Certificate) return [`The certificate ${certificateArn} does not exist: request one in ACM in us-east-1 and set certificateArn.`];
  const { Status, DomainName = "", SubjectAlternativeNames = [] } = Certificate;
  const names = [DomainName, ...SubjectAlternativeNames];
  return [
    ...(Status === "ISSUED"
      ? []
      : [
          Status === "PENDING_VALIDATION"
            ? "The certificate waits for its validation: create the CNAME record that ACM shows for it."
            : `The certificate has the status ${Status}: request another in ACM in us-east-1 and set certificateArn.`,
        ]),
    ...(names.some((name) => covers(name, domain))
      ? []
      : [`The certificate is for ${DomainName} and not for ${domain}: request one for it and set certificateArn.`]),
  ];
};

/** A wildcard stands for one label. */
const covers = (name: string, domain: string): boolean =>
  name === domain || (name.startsWith("*.") && domain.replace(/^[^.]+/, "*") === name);

export const checkZone: Check = async ({ route53 }, { hostedZone, domain, mailFrom }) => {
  if (!hostedZone) return [];
  const { HostedZone } = (await found(route53.send(new GetHostedZoneCommand({ Id: hostedZone.id })))) ?? {};
  if (!HostedZone) return [`The hosted zone ${hostedZone.id} does not exist in this account: create it in Route 53 and set hostedZone.`];
  const name = HostedZone.Name?.replace(/\.$/, "");
  if (name !== hostedZone.name) return [`The hosted zone ${hostedZone.id} is of ${name}, not of ${hostedZone.name}: set hostedZone.`];
  return [
    ...(HostedZone.Config?.PrivateZone
      ? [`The hosted zone of ${name} is private, so no one outside finds the site: set hostedZone to the public one.`]
      : []),
    ...(domain === undefined || domain === name || domain.endsWith(`.${name}`)
      ? []
      : [`The domain ${domain} is not in the hosted zone of ${name}: set hostedZone or domain.`]),
    ...(mailFrom && mailIdentity(mailFrom, hostedZone).zone && !(await hasDmarc(route53, hostedZone))
      ? [
          `There is no DMARC record, so receivers may refuse the mail: add the TXT record _dmarc.${name} to the zone, such as "v=DMARC1; p=quarantine; rua=mailto:ADDRESS".`,
        ]
      : []),
  ];
};

async function hasDmarc(route53: Parameters<Check>[0]["route53"], { id, name }: { id: string; name: string }): Promise<boolean> {
  const wanted = `_dmarc.${name}.`;
  const { ResourceRecordSets = [] } = await route53.send(
    new ListResourceRecordSetsCommand({ HostedZoneId: id, StartRecordName: wanted, StartRecordType: "TXT", MaxItems: 1 }),
  );
  return ResourceRecordSets.some(
    ({ Name, Type, ResourceRecords = [] }) =>
      Name === wanted && Type === "TXT" && ResourceRecords.some(({ Value }) => /^"v=DMARC1\s*;/.test(Value ?? "")),
  );
}
