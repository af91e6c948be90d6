import { Button } from "@chakra-ui/react/button";
import { Card } from "@chakra-ui/react/card";
import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { ContactForm as ContactFields, industries, site } from "@vitaline/contract";
import { useEffect, useRef } from "react";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { ChoiceField, TextAreaField, TextField } from "../../components/form/fields.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { industryNames } from "./content/contact.ts";

const choices = [{ value: "", label: "Please choose" }, ...industries.map((value) => ({ value, label: industryNames[value] }))];

/** The form; what is typed stays until it has arrived. `beginning` stands in the message from the start. */
export const ContactForm = ({ beginning, onSent }: { beginning: string; onSent: () => void }) => {
  const { field, failure, isBusy, submit } = useRequestForm({
    schema: ContactFields,
    defaultValues: { firstName: "", lastName: "", email: "", phone: "", company: "", industry: "", message: beginning, website: "" },
    send: async (body) => {
      await call(site.sendContactMessage, { body });
      onSent();
    },
  });
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
      {/* People never see this field, so whatever fills it is a program. */}
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

/** Takes the form's place, and the focus. */
export const MessageSent = ({ onAgain }: { onAgain: () => void }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card.Root bg="green.subtle" borderColor="green.muted" boxShadow="none">
      <Card.Body gap="4" alignItems="flex-start">
        <Heading as="h2" size="xl" ref={heading} tabIndex={-1} outline="none">
          Thank you. Your message is with us.
        </Heading>
        <Text>A person reads it and answers by email, within support hours.</Text>
        <Button variant="outline" onClick={onAgain}>
          Write another message
        </Button>
      </Card.Body>
    </Card.Root>
  );
};
