import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import X from "lucide-react/dist/esm/icons/x.mjs";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { hasWords } from "../../lib/format/labels.ts";

/** `words`: what a choice is found by. */
type Choice = { id: string; name: string; note?: string; words: string; run: () => void };
export type Choices = readonly { name: string; choices: readonly Choice[] }[];

type Props = { label: string; choicesFor: (typed: string) => Choices; onClose: () => void };

const matches = (groups: Choices, typed: string): Choices =>
  groups
    .map(({ name, choices }) => ({ name, choices: choices.filter(({ words }) => hasWords([words], typed.trim())) }))
    .filter(({ choices }) => choices.length > 0);

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
};

/**
 * A combobox with its list, in a native dialog: the focus stays in the field, arrow keys move through the list, Enter chooses.
 * Source: ARIA Authoring Practices Guide, Combobox pattern, list autocomplete.
 */
export const Chooser = ({ label, choicesFor, onClose }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();
  const groups = matches(choicesFor(typed), typed);
  const all = groups.flatMap(({ choices }) => choices);
  const active = all[Math.min(at, all.length - 1)];
  const idOf = ({ id }: Choice): string => `${listId}-${id}`;
  const activeId = active && idOf(active);
  // Closed before it leaves the page, so that the browser restores the focus.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  const choose = ({ run }: Choice): void => {
    onClose();
    run();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const step = steps[event.key];
    if (event.key === "Enter") {
      event.preventDefault();
      if (active) choose(active);
    } else if (step && all.length > 0) {
      event.preventDefault();
      setAt((now) => step(Math.min(now, all.length - 1), all.length));
    }
  };
  return (
    <chakra.dialog
      ref={dialog}
      aria-label="Go to"
      m={{ base: "0", sm: "auto" }}
      mt={{ sm: "min(6rem, 5vh)" }}
      w={{ base: "100%", sm: "calc(100% - 3rem)" }}
      maxW={{ base: "100%", sm: "2xl" }}
      h={{ base: "100dvh", sm: "fit-content" }}
      maxH={{ base: "100dvh", sm: "min(38rem, 90dvh)" }}
      p="0"
      bg="bg.panel"
      color="fg"
      borderWidth={{ base: "0", sm: "1px" }}
      borderColor="border"
      borderRadius={{ base: "0", sm: "l3" }}
      boxShadow="lg"
      overflow="hidden"
      flexDirection="column"
      css={{ "&[open]": { display: "flex" } }}
      _backdrop={{ bg: "black/60" }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={onClose}
      onClick={({ target }) => {
        if (target === dialog.current) onClose();
      }}
    >
      <chakra.div display="flex" alignItems="center" gap="2" p="3" borderBottomWidth="1px" borderColor="border" flexShrink="0">
        <chakra.input
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded={all.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={label}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          flex="1"
          minW="0"
          h="11"
          px="3"
          textStyle="md"
          bg="bg.panel"
          borderWidth="1px"
          borderColor="border.emphasized"
          borderRadius="l2"
          outline="0"
          focusVisibleRing="inside"
        />
        <Button variant="ghost" px="0" aria-label="Close" onClick={onClose}>
          <X aria-hidden />
        </Button>
      </chakra.div>
      <chakra.div id={listId} role="listbox" aria-label="Where to" flex="1" minH="0" overflowY="auto" p={all.length > 0 ? "2" : "0"}>
        {groups.map(({ name, choices }) => (
          <chakra.div key={name} role="group" aria-label={name}>
            <chakra.div px="3" pt="3" pb="1" textStyle="xs" fontWeight="semibold" color="fg.muted" aria-hidden>
              {name}
            </chakra.div>
            {choices.map((choice) => (
              <Option key={choice.id} id={idOf(choice)} choice={choice} isActive={choice === active} onChoose={() => choose(choice)} />
            ))}
          </chakra.div>
        ))}
      </chakra.div>
      <chakra.output px="5" py={all.length > 0 ? "0" : "6"} color="fg.muted" css={all.length > 0 ? unseen : {}}>
        {all.length === 0 ? "Nothing found. Try another word." : `${all.length} ${all.length === 1 ? "result" : "results"}`}
      </chakra.output>
    </chakra.dialog>
  );
};

/** For screen readers alone. */
const unseen = { position: "absolute", w: "1px", h: "1px", overflow: "hidden", clipPath: "inset(50%)" } as const;

type OptionProps = { id: string; choice: Choice; isActive: boolean; onChoose: () => void };

const Option = ({ id, choice: { name, note }, isActive, onChoose }: OptionProps) => (
  <chakra.div
    id={id}
    role="option"
    aria-selected={isActive}
    display="flex"
    flexWrap="wrap"
    alignItems="center"
    justifyContent="space-between"
    columnGap="4"
    minH="11"
    px="3"
    py="1.5"
    borderRadius="l2"
    cursor="button"
    textStyle="sm"
    fontWeight="medium"
    overflowWrap="anywhere"
    _hover={{ bg: "bg.muted" }}
    css={{ "&[aria-selected=true]": { bg: "teal.subtle", color: "teal.fg" } }}
    // The field keeps the focus.
    onMouseDown={(event) => event.preventDefault()}
    onClick={onChoose}
  >
    {name}{" "}
    {note === undefined ? null : (
      <chakra.span textStyle="xs" color="fg.muted">
        {note}
      </chakra.span>
    )}
  </chakra.div>
);
