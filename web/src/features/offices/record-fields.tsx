import { Tabs } from "@chakra-ui/react/tabs";
import { DetailsFields } from "./details-fields.tsx";
import { HoursFields } from "./hours-fields.tsx";
import { hoursInWords, zoneInWords } from "./hours-in-words.ts";
import { MessageFields } from "./message-fields.tsx";
import { RoutingFields } from "./routing-fields.tsx";
import type { OfficeFormState } from "./use-office-form.ts";
import type { Organization } from "./use-organization.ts";

type Props = { office: OfficeFormState; organization: Organization };

/** What is saved together, each part under its tab. */
export const RecordFields = ({ office, organization }: Props) => {
  const { businessHours } = organization;
  return (
    <div>
      <Tabs.Content value="details">
        <DetailsFields office={office} />
      </Tabs.Content>
      <Tabs.Content value="hours">
        <HoursFields
          office={office}
          place="businessHours"
          label="Business hours"
          inheritedLabel="As the organization"
          inherited={[...hoursInWords(businessHours), zoneInWords(businessHours.timezone)]}
        />
      </Tabs.Content>
      <Tabs.Content value="routing">
        <RoutingFields office={office} organization={organization} />
      </Tabs.Content>
      <Tabs.Content value="messages">
        <MessageFields office={office} organization={organization} />
      </Tabs.Content>
    </div>
  );
};
