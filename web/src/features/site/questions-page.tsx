import { Faq, type Question } from "../../components/layout/faq.tsx";
import { PageSection } from "../../components/layout/page-section.tsx";
import { contactQuestions } from "./content/contact.ts";
import { pricingQuestions } from "./content/pricing.ts";
import { questionGroups } from "./content/questions.ts";
import { PageIntro } from "../../components/layout/page-intro.tsx";

const groups: readonly { id: string; title: string; questions: readonly Question[] }[] = [
  ...questionGroups,
  { id: "plans", title: "Plans", questions: pricingQuestions },
  { id: "support", title: "Support", questions: contactQuestions },
];

const QuestionsPage = () => (
  <>
    <PageIntro
      label="FAQ"
      title="Frequently asked questions"
      lead="What hospitals and practices ask about callers, the record, security, plans and support."
    />
    {groups.map(({ id, title, questions }, index) => (
      <PageSection key={id} id={id} title={title} isSplit look={index % 2 === 0 ? "plain" : "tinted"}>
        <Faq questions={questions} />
      </PageSection>
    ))}
  </>
);

export default QuestionsPage;
