import { Box } from "@chakra-ui/react/box";
import { Card } from "@chakra-ui/react/card";
import { Container } from "@chakra-ui/react/container";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { Button } from "@chakra-ui/react/button";
import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { ContactForm as ContactFields, industries, site } from "@vitaline/contract";
import { Link } from "@chakra-ui/react/link";
import { Faq } from "../../components/layout/faq.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";
import { PageSection } from "../../components/layout/page-section.tsx";
import { initialMessage, contactQuestions, industryNames } from "./content/contact.ts";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { ChoiceField, TextAreaField, TextField } from "../../components/form/fields.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { usePublicConfig } from "../../lib/api/public-config.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { supportHours } from "./content/support.ts";

const ContactPage = () => {
  const [search] = useSearchParams();
  const [isSent, setIsSent] = useState(false);
  const topic = search.get("topic");
  return (
    <>
      <meta name="description" content="Write to the people behind Vitaline: demos, plans, support." />
      <Container py={{ base: "10", md: "16" }}>
        <PageHeading size={{ base: "3xl", md: "4xl" }}>Contact us</PageHeading>
        <Text color="fg.muted" mt="3" mb={{ base: "8", md: "10" }} maxW="2xl" textStyle={{ base: "md", md: "lg" }}>
          A demo, a plan, a question about sign-in, calls or integrations: write to us, and a person answers.
        </Text>
        <chakra.div display="grid" gridTemplateColumns={{ base: "minmax(0, 1fr)", lg: "minmax(0, 1fr) 22rem" }} gap="8" alignItems="start">
          {isSent ? (
            <MessageSent onAgain={() => setIsSent(false)} />
          ) : (
            <Card.Root size="lg">
              <Card.Body>
                <ContactForm key={topic} beginning={initialMessage(topic)} onSent={() => setIsSent(true)} />
              </Card.Body>
            </Card.Root>
          )}
          <Box>
            <ContactDetails />
          </Box>
        </chakra.div>
      </Container>
      <PageSection id="questions" look="tinted" isSplit title="Frequently asked questions">
        <Faq questions={contactQuestions} />
      </PageSection>
    </>
  );
};

const MessageSent = ({ onAgain }: { onAgain: () => void }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card.Root bg="green.subtle" borderColor="green.muted" boxShadow="none">
      <Card.Body gap="4" alignItems="flex-start">
        <Heading as="h2" size="xl" ref={heading} tabIndex={-1} outline="none">
          Thank you. We have received your message.
        </Heading>
        <Text>A person reads it and answers by email, within support hours.</Text>
        <Button variant="outline" onClick={onAgain}>
          Send another message
        </Button>
      </Card.Body>
    </Card.Root>
  );
};

const choices = [{ value: "", label: "Please choose" }, ...industries.map((value) => ({ value, label: industryNames[value] }))];

/** The input stays until the message is sent. `beginning` is the initial message. */
const ContactForm = ({ beginning, onSent }: { beginning: string; onSent: () => void }) => {
  const {
    field,
    failure,
    isBusy,
    submit,
    form: { getValues, setValue },
  } = useRequestForm({
    schema: ContactFields,
    defaultValues: { firstName: "", lastName: "", email: "", phone: "", company: "", industry: "", message: beginning, website: "" },
    send: async (body) => {
      await call(site.sendContactMessage, { body });
      onSent();
    },
  });
  const { user } = useAuth();
  const isPrefilled = useRef(false);
  useEffect(() => {
    // The session is read again at times: a field that was emptied meanwhile stays empty.
    if (user === null || isPrefilled.current) return;
    isPrefilled.current = true;
    const { firstName, lastName, email, tenantName } = user;
    const known = [
      ["firstName", firstName],
      ["lastName", lastName],
      ["email", email],
      ["company", tenantName ?? ""],
    ] as const;
    // The session is known a moment after the page: what was typed by then stays.
    for (const [name, value] of known) if (!getValues(name)) setValue(name, value);
  }, [user, getValues, setValue]);
  const { error: _trap, ...trap } = field("website");
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
        <TextField label="First name" autoComplete="given-name" {...field("firstName")} />
        <TextField label="Last name" autoComplete="family-name" {...field("lastName")} />
        <TextField label="Email" type="email" autoComplete="email" {...field("email")} />
        <TextField label="Phone" type="tel" autoComplete="tel" isOptional {...field("phone")} />
        <TextField label="Company" autoComplete="organization" isOptional {...field("company")} />
        <ChoiceField label="Industry" isOptional options={choices} {...field("industry")} />
      </SimpleGrid>
      <TextAreaField label="Message" hint="Do not send patient information." {...field("message")} />
      {/* A honeypot: only a program fills a hidden field. */}
      <VisuallyHidden aria-hidden>
        <label>
          Website
          <input {...trap} tabIndex={-1} autoComplete="off" />
        </label>
      </VisuallyHidden>
      <SubmitButton isBusy={isBusy} busyText="Sending...">
        Send message
      </SubmitButton>
    </FormFrame>
  );
};

/** The last lines depend on the installation's settings. */
const ContactDetails = () => {
  const { email, phone } = usePublicConfig()?.support ?? {};
  return (
    <Card.Root as="section" aria-labelledby="contact-information">
      <Card.Header>
        <Card.Title as="h2" id="contact-information">
          Contact information
        </Card.Title>
        <Card.Description>Support hours, EST (US Eastern)</Card.Description>
      </Card.Header>
      <Card.Body>
        <chakra.dl display="grid" gap="2.5" minH="9rem" alignContent="start">
          {supportHours.map(({ days, hours }) => (
            <Line key={days} name={days}>
              {hours}
            </Line>
          ))}
          {email ? (
            <Line name="Email">
              <Link href={`mailto:${email}`}>{email}</Link>
            </Line>
          ) : null}
          {phone ? (
            <Line name="Phone">
              <Link href={`tel:${phone.replaceAll(/[^+\d]/g, "")}`}>{phone}</Link>
            </Line>
          ) : null}
        </chakra.dl>
      </Card.Body>
    </Card.Root>
  );
};

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <chakra.div display="flex" justifyContent="space-between" gap="4" flexWrap="wrap">
    <chakra.dt color="fg.muted">{name}</chakra.dt>
    <chakra.dd fontWeight="semibold" overflowWrap="anywhere">
      {children}
    </chakra.dd>
  </chakra.div>
);

export default ContactPage;
