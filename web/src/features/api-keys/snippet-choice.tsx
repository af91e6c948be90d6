import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import type { Office, Snippet } from "@vitaline/contract";
import { ChoiceField } from "../../components/form/fields.tsx";
import { platforms } from "./platforms.ts";

type Props = {
  platform: Snippet["platform"];
  onPlatform: (platform: string) => void;
  offices: readonly Pick<Office, "id" | "name">[];
  /** "": all of them. */ officeId: string;
  onOffice: (officeId: string) => void;
};

/** For which platform a snippet is, and for which office. */
export const SnippetChoice = ({ platform, onPlatform, offices, officeId, onOffice }: Props) => (
  <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4" maxW="2xl">
    <ChoiceField
      label="Voice platform"
      options={platforms}
      value={platform}
      onChange={({ target }) => onPlatform(target.value)}
      error={undefined}
    />
    {offices.length === 0 ? null : (
      <ChoiceField
        label="Office"
        options={[{ value: "", label: "All offices" }, ...offices.map(({ id, name }) => ({ value: id, label: name }))]}
        value={officeId}
        onChange={({ target }) => onOffice(target.value)}
        error={undefined}
      />
    )}
  </SimpleGrid>
);
