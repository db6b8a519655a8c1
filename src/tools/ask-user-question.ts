// AskUserQuestion: lets the person choose between answers; the dialog adds free text and "talk about it".
import { z } from "zod";
import { defineTool } from "./tool.js";

const option = z.object({
  label: z.string().min(1).describe("The answer in one to five words"),
  description: z.string().default("").describe("What choosing it means"),
  preview: z.string().optional().describe("Something to look at before choosing, e.g. a sketch or a piece of code"),
});
const question = z.object({
  question: z.string().min(1).describe("The whole question, ending with a question mark"),
  header: z.string().min(1).max(12).describe("Very short label, at most 12 characters"),
  options: z
    .array(option)
    .min(2)
    .max(4)
    .describe("Two to four answers that exclude each other unless multiSelect is set"),
  multiSelect: z.boolean().default(false).describe("Several answers may be chosen"),
});
const input = z.object({
  questions: z.array(question).min(1).max(4).describe("One to four questions, asked together"),
  answers: z
    .record(z.string(), z.string())
    .optional()
    .describe("Left out: filled in when a host has the answers already"),
  annotations: z
    .record(z.string(), z.object({ preview: z.string().optional(), notes: z.string().optional() }))
    .optional()
    .describe("Left out: notes of a host to the answers"),
});
type Input = z.infer<typeof input>;

const prompt = `Asks the person one to four questions with answers to choose from.

- Use it when a decision is theirs and you cannot find the answer in the project or decide it sensibly yourself.
- Put the answer you recommend first and add "(recommended)" to its label.
- They can always type something else, so offer no "other" option.
- In plan mode use it to settle requirements before the plan is finished; to have the plan approved use ExitPlanMode instead.`;

export const askUserQuestion = defineTool<Input>({
  name: "AskUserQuestion",
  searchHint: "ask question person choose decide clarify",
  prompt,
  input: input as z.ZodType<Input>,
  isReadOnly: () => true,
  needsPerson: true,
  title: ({ questions }) => questions?.[0]?.question ?? "",
  validate: async ({ questions }) => {
    const texts = questions.map(({ question }) => question);
    if (new Set(texts).size < texts.length) return "Two questions have the same text; each must be different.";
    const twice = questions.find(({ options }) => new Set(options.map(({ label }) => label)).size < options.length);
    return twice ? `Two options of "${twice.question}" have the same label; each must be different.` : undefined;
  },
  checkPermissions: async () => ({ reads: [], writes: [], isInteraction: true }),
  call: async ({ questions, answers, annotations }, { ask }) => {
    if (answers) return settled(questions, answers, annotations);
    if (!ask)
      return {
        content: "Nobody can be asked in this session. Decide yourself and say what you assumed.",
        isError: true,
      };
    const reply = await ask<"choice">({ kind: "choice", questions });
    if (reply.answers) return settled(questions, reply.answers, annotations, reply.comment);
    if (reply.comment) {
      return {
        content: `The person did not choose but wants to talk about it: ${reply.comment}`,
        structured: { questions, answers: {} },
        display: { kind: "text", text: reply.comment },
      };
    }
    if (reply.isTimeout)
      return {
        content:
          "Nobody answered within the time the person has set. Decide yourself, choose what is easy to undo, and say what you assumed.",
        structured: { questions, answers: {} },
        display: { kind: "text", text: "Nobody answered in time: the model decides" },
      };
    return {
      content: `The person closed the question without an answer. Stop and wait for what they say.`,
      isError: true,
      endsRun: true,
    };
  },
});

const settled = (
  questions: Input["questions"],
  answers: Record<string, string>,
  annotations?: Input["annotations"],
  comment?: string,
) => {
  const lines = questions.map(({ question }) => {
    const notes = annotations?.[question]?.notes;
    return `"${question}" = "${answers[question] ?? "(no answer)"}"${notes ? ` (note: ${notes})` : ""}`;
  });
  return {
    content: [`The person answered:`, ...lines, ...(comment ? [`They add: ${comment}`] : [])].join("\n"),
    display: {
      kind: "text" as const,
      text: questions.map(({ question }) => `${question} → ${answers[question] ?? "–"}`).join("\n"),
    },
    structured: { questions, answers, ...(annotations ? { annotations } : {}) },
  };
};
