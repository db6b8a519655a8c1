// From a request to the offline model's next reply: words and calls.
import { blocksOf, textOf } from "../../protocol/messages.js";
import type { ModelRequest } from "../provider.js";
import { type View, viewOf } from "./conversation.js";
import { parsePrompt, splitSteps } from "./parse.js";
import { offlinePatterns } from "./patterns.js";
import { carryOut, planAndCarryOut } from "./plan.js";
import { type Program, type Reply, replay, say } from "./program.js";
import { purposeAnswer } from "./purposes.js";
import { changesThings, type OfflineRequest } from "./requests.js";
import { simpleStep } from "./steps.js";
import { typedCommandSummary } from "./summaries.js";
import { isResult, noticesIn, withoutMachineText } from "./timeline.js";
import { tour } from "./tour.js";

/** What the offline model understands, as Markdown. */
export const helpText = (): string =>
  [
    'I am the offline model: a script, no AI. I understand these requests, alone or one after another ("… then …"), and do them through the real tools:',
    "",
    ...offlinePatterns.filter(({ example }) => example !== "").map(({ example, does }) => `- ${example}: ${does}`),
    "",
    "For anything else a real model is needed: set ANTHROPIC_API_KEY, or leave (/exit) and start `claude` again to enter a key.",
  ].join("\n");

const notUnderstood = (text: string): string =>
  `I do not understand "${text.length > 80 ? `${text.slice(0, 79)}…` : text}": I am the offline model, a script without AI, and know only some kinds of requests. ` +
  'For example: read FILE · list files in FOLDER · search for "TEXT" · replace "A" with "B" in FILE · run `COMMAND` · plan to … · start the tour. "help" shows all of them.';

function* doRequest(view: View, request: OfflineRequest): Program {
  const simple = simpleStep(view, request);
  if (simple) return yield* simple;
  switch (request.kind) {
    case "tour":
      return yield* tour(view);
    case "plan":
      return yield* planAndCarryOut(view, request);
    case "carryOut":
      return yield* carryOut(view, request.steps);
    case "help":
      return yield* say(helpText());
    case "continued":
      return yield* say(
        "The earlier conversation was summarised. I am a script and do not resume by myself: say what comes next.",
      );
    case "unknown":
      return yield* say(notUnderstood(request.text));
  }
}

function* doPrompt(view: View, prompt: string): Program {
  const requests = parsePrompt(prompt);
  // In plan mode, changes are planned first.
  if (view.isPlanning && requests.some(changesThings)) {
    return yield* planAndCarryOut(view, { kind: "plan", goal: prompt, steps: splitSteps(prompt) });
  }
  for (const request of requests) yield* doRequest(view, request);
}

function* conversation(view: View): Program {
  if (view.prompt === "") return yield* say(helpText());
  yield* doPrompt(view, view.prompt);
  for (const addition of view.additions) yield* doPrompt(view, addition);
  if (view.paused) yield* say('The tour waits where it stopped: say "go on with the tour".');
}

/** A remark on what happened since the last answer when the person asked for nothing: commands they ran, background work that ended. */
const news = ({ messages }: ModelRequest): string | undefined => {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const since = messages.slice(last + 1).flatMap(({ content }) => blocksOf(content));
  const text = since.map((block) => (block.type === "text" ? textOf([block]) : "")).join("\n");
  if (since.some(isResult) || withoutMachineText(text) !== "") return undefined;
  const reports = [...text.matchAll(/<task-notification>[\s\S]*?<result>([\s\S]*?)<\/result>/g)];
  if (reports.length > 0)
    return `What ran in the background is done. It reports:\n\n${reports.map(([, report]) => report).join("\n\n")}`;
  const commands = typedCommandSummary(text);
  const ends = noticesIn(text).map((notice) => `News from the background: ${notice}`);
  return [commands ?? "", ...ends].filter(Boolean).join("\n\n") || undefined;
};

/** The next reply to a request. Deterministic: equal requests give equal replies. */
export const answer = (request: ModelRequest): Reply => {
  const text = purposeAnswer(request);
  if (text !== undefined) return { text, calls: [] };
  const remark = news(request);
  if (remark !== undefined) return { text: remark, calls: [] };
  const view = viewOf(request);
  return replay(conversation(view), view.rounds);
};
