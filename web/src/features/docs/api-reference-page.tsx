import { Badge } from "@chakra-ui/react/badge";
import { Heading } from "@chakra-ui/react/heading";
import { Link } from "@chakra-ui/react/link";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import reference from "@vitaline/contract/api-reference.json" with { type: "json" };
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { PageIntro } from "../../components/layout/page-intro.tsx";
import { PageSection } from "../../components/layout/page-section.tsx";
import { platforms } from "./content/connect.ts";
import type { ApiExample } from "./content/examples.ts";
import recorded from "./content/examples.json" with { type: "json" };

type Field = { name: string; type: string; isRequired?: boolean };
type Route = (typeof reference)[number];

const examples: readonly ApiExample[] = recorded as ApiExample[];

const groups: readonly { id: string; title: string; auth: readonly string[] }[] = [
  { id: "key", title: "With the organization's API key", auth: ["key"] },
  { id: "signature", title: "Signed by a voice platform", auth: ["signature"] },
  { id: "session", title: "With the session of a tenant administrator", auth: ["tenant_admin", "user"] },
  { id: "public", title: "Open to everyone", auth: ["public"] },
];

const ApiReferencePage = () => (
  <>
    <PageIntro
      label="Documentation"
      title="API reference"
      lead="Every address that voice platforms and your own systems may call, from the OpenAPI document of this installation."
    >
      <Text mt="4">
        <Link href="/api/openapi.json">The document itself</Link> has every schema in full.
      </Text>
    </PageIntro>
    <PageSection
      id="examples"
      title="What each platform sends"
      lead="The same caller is verified, through each voice platform: the request as it arrives here, and the answer that the agent works with."
    >
      <Stack gap="2">
        {examples.map(({ platform, request, answer }) => (
          <Disclosure key={platform} title={platforms.find((one) => one.platform === platform)?.name}>
            <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4">
              <CodeBlock label={`Request of ${nameOf(platform)}`} text={request} />
              <CodeBlock label={`Answer to ${nameOf(platform)}`} text={answer} />
            </SimpleGrid>
          </Disclosure>
        ))}
      </Stack>
    </PageSection>
    {groups.map(({ id, title, auth }, index) => (
      <PageSection key={id} id={id} title={title} look={index % 2 === 0 ? "tinted" : "plain"}>
        <chakra.ul listStyleType="none">
          {reference
            .filter((route) => auth.includes(route.auth))
            .map((route) => (
              <chakra.li key={`${route.method} ${route.path}`} borderColor="border.muted" _notFirst={{ borderTopWidth: "1px" }}>
                <RouteEntry route={route} />
              </chakra.li>
            ))}
        </chakra.ul>
      </PageSection>
    ))}
  </>
);

const nameOf = (platform: ApiExample["platform"]): string => platforms.find((one) => one.platform === platform)?.name ?? platform;

const RouteEntry = ({ route: { method, path, summary, parameters, body, status, answer } }: { route: Route }) => (
  <Disclosure
    title={
      <chakra.span display="flex" flexWrap="wrap" alignItems="baseline" columnGap="3">
        <chakra.code fontFamily="mono" minW="0" overflowWrap="anywhere">{`${method} ${path}`}</chakra.code>
        <chakra.span fontWeight="normal" color="fg.muted" minW="0">
          {summary}
        </chakra.span>
      </chakra.span>
    }
  >
    <Stack gap="4">
      <Fields title="Parameters" fields={parameters} />
      <Fields title="Body" fields={body} />
      {typeof answer === "string" ? (
        <Text>{`Answers ${status}: ${answer}.`}</Text>
      ) : (
        <Fields title={`Answer, ${status}`} fields={answer} isAnswer />
      )}
    </Stack>
  </Disclosure>
);

const Fields = ({ title, fields, isAnswer = false }: { title: string; fields: readonly Field[]; isAnswer?: boolean }) =>
  fields.length === 0 ? null : (
    <div>
      <Heading as="h3" textStyle="sm" mb="1">
        {title}
      </Heading>
      <chakra.dl>
        {fields.map(({ name, type, isRequired }) => (
          <chakra.div
            key={name}
            display="grid"
            gridTemplateColumns={{ base: "minmax(0, 1fr)", md: "14rem minmax(0, 1fr)" }}
            columnGap="4"
            py="1"
          >
            <chakra.dt fontFamily="mono" overflowWrap="anywhere">
              {name}
              {isRequired && !isAnswer ? (
                <Badge ms="2" size="sm">
                  required
                </Badge>
              ) : null}
            </chakra.dt>
            <chakra.dd color="fg.muted" overflowWrap="anywhere">
              {type}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
    </div>
  );

export default ApiReferencePage;
