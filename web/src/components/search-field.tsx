import { Input } from "@chakra-ui/react/input";
import { useEffect, useRef, useState } from "react";

type Props = { label: string; placeholder: string; value: string; onSearch: (text: string) => void };

/** Looks while one types. What is typed stands at once, though the address, which holds it, follows a moment later. */
export const SearchField = ({ label, placeholder, value, onSearch }: Props) => {
  const [typed, setTyped] = useState(value);
  /** What was typed and has not come back from the address yet. */
  const underWay = useRef<string[]>([]);
  useEffect(() => {
    const at = underWay.current.indexOf(value);
    if (at === -1) setTyped(value);
    else underWay.current.splice(0, at + 1);
  }, [value]);
  return (
    <Input
      type="search"
      size="sm"
      aria-label={label}
      placeholder={placeholder}
      autoComplete="off"
      maxW={{ md: "80" }}
      value={typed}
      onChange={({ target }) => {
        underWay.current.push(target.value);
        setTyped(target.value);
        onSearch(target.value);
      }}
    />
  );
};
