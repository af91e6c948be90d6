import { chakra } from "@chakra-ui/react/styled-system";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";

export type Question = { question: string; answer: string };

/** Native `<details>`, which open without a script. */
export const Faq = ({ questions }: { questions: readonly Question[] }) => (
  <chakra.div borderTopWidth="1px" borderColor="border" maxW="3xl">
    {questions.map(({ question, answer }) => (
      <chakra.details key={question} borderBottomWidth="1px" borderColor="border" css={{ "&[open] svg": { transform: "rotate(45deg)" } }}>
        <chakra.summary
          display="flex"
          alignItems="center"
          justifyContent="space-between"
          gap="4"
          py="4"
          cursor="button"
          fontWeight="semibold"
          listStyleType="none"
          borderRadius="l1"
          focusVisibleRing="outside"
          css={{ "&::-webkit-details-marker": { display: "none" } }}
        >
          {question}
          <chakra.span color="fg.muted" flexShrink="0">
            <Plus width={20} height={20} aria-hidden />
          </chakra.span>
        </chakra.summary>
        <chakra.p color="fg.muted" pb="5" maxW="prose">
          {answer}
        </chakra.p>
      </chakra.details>
    ))}
  </chakra.div>
);
