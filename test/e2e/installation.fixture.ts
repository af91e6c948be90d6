import type { PlatformOptions } from "../../packages/local-cloud/platform.ts";

type Mutate = NonNullable<PlatformOptions["mutateTemplate"]>;
type Resource = { Type: string; Properties?: { Environment?: { Variables?: Record<string, unknown> }; [name: string]: unknown } };

/** How an operator may have set up an installation, as far as its open pages show it. */
export type Setting = { calendar: string; placesLeft: number };

const isOfSite = ({ Type, Properties }: Resource): boolean =>
  Type === "AWS::Lambda::Function" && String(Properties?.["FunctionName"]).endsWith("-site");

/** Sets up an installation by the templates that deploy it: the site's function and the security policy of its pages. */
export const setUp =
  ({ calendar, placesLeft }: Setting): Mutate =>
  (template) => {
    for (const resource of Object.values((template.Resources ?? {}) as Record<string, Resource>)) {
      if (isOfSite(resource) && resource.Properties?.Environment?.Variables)
        Object.assign(resource.Properties.Environment.Variables, {
          DEMO_SCHEDULING_URL: calendar,
          PROMOTION_REMAINING: String(placesLeft),
        });
      if (resource.Type === "AWS::CloudFront::ResponseHeadersPolicy")
        resource.Properties = JSON.parse(
          JSON.stringify(resource.Properties).replace(/frame-src [^;]+/, `frame-src ${new URL(calendar).origin}`),
        ) as Resource["Properties"] & object;
    }
  };
