import { Input } from "@chakra-ui/react/input";

type Props = { label: string; placeholder: string; value: string; onSearch: (text: string) => void };

/** Searches while typing. `useSearchText` keeps the text in the address. */
export const SearchField = ({ label, placeholder, value, onSearch }: Props) => (
  <Input
    type="search"
    h="9"
    textStyle={{ md: "sm" }}
    aria-label={label}
    placeholder={placeholder}
    autoComplete="off"
    maxW={{ md: "80" }}
    value={value}
    onChange={({ target }) => onSearch(target.value)}
  />
);
