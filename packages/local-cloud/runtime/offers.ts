import type { CloudOptions } from "../cloud.ts";

type Mutate = NonNullable<CloudOptions["mutateTemplate"]>;
type Spec = Parameters<NonNullable<CloudOptions["prepareFunction"]>>[0];

const placesLeft = 37;
const calendarVariable = "DEMO_SCHEDULING_URL";

/** What the public site of a stage may offer, so that a demo shows it: a promotion, and a calendar of the sandbox unless one is set. */
export function offersFrom(calendarUrl: string): { mutateTemplate: Mutate; withOffers: (spec: Spec) => Spec } {
  const { origin } = new URL(calendarUrl);
  return {
    mutateTemplate(template) {
      const resources = (template.Resources ?? {}) as Record<string, { Type?: string; Properties?: object }>;
      for (const resource of Object.values(resources))
        if (resource.Type === "AWS::CloudFront::ResponseHeadersPolicy")
          resource.Properties = JSON.parse(
            JSON.stringify(resource.Properties).replace("frame-src 'none'", `frame-src ${origin}`),
          ) as object;
    },
    withOffers: (spec) =>
      spec.name.endsWith("-site")
        ? { ...spec, env: { [calendarVariable]: calendarUrl, PROMOTION_REMAINING: String(placesLeft), ...spec.env } }
        : spec,
  };
}
