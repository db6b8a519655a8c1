// What a person is told about the settings: files that cannot be read, entries without effect, and changes while the session runs.
import type { Emit } from "../execution/context.js";
import { ruleWarning } from "../permissions/rules.js";
import type { LoadedSettings } from "../settings/load.js";
import { folderHooks, withholdNewHooks } from "../settings/new-hooks.js";
import { watchSettings } from "../settings/watch.js";
import { allTools } from "../tools/index.js";
import { announce } from "./announce.js";
import { publish, type Session } from "./session.js";
import { writtenRules } from "./session-rules.js";

type Problem = LoadedSettings["problems"][number];

/** Tools that rules may name although this session does not offer them. */
export const toolsElsewhere: readonly string[] = [
  "Agent",
  "Skill",
  "ToolSearch",
  "LSP",
  "Monitor",
  "Cd",
  "TaskOutput",
  "TaskStop",
  "SendMessage",
];

export const problemLine = ({ file, line, column, path, message }: Problem): string =>
  `${[file, line, column].filter((part) => part !== undefined).join(":")}: ${path ? `${path} ` : ""}${message}`;

const fatalOf = ({ settings }: Session): Problem[] => settings.problems.filter(({ fatal }) => fatal);

/** One line for each rule that cannot do what its writer meant. */
export const ruleWarnings = (session: Session): string[] => {
  const known = [...allTools, ...session.tools].map(({ name }) => name);
  return writtenRules(session).flatMap((rule) => {
    const warning = ruleWarning(rule, [...known, ...toolsElsewhere]);
    if (warning === undefined) return [];
    return `${rule.file ? `${rule.file}${rule.line ? `:${rule.line}` : ""}: ` : ""}${warning}`;
  });
};

/** Asks whether to go on while a file cannot be parsed. False: leave. A file that was mended meanwhile counts. */
export const mayGoOnBroken = async (session: Session, emit: Emit): Promise<boolean> => {
  while (fatalOf(session).length > 0) {
    const detail = [
      ...fatalOf(session).map(problemLine),
      "",
      "Mend the file in another window and choose Go on: it is read again. As long as it is broken only its last good deny and ask rules are in force.",
    ].join("\n");
    const answer = await session.questions.ask(
      "go_on",
      { title: "A settings file cannot be read", detail },
      emit,
      session.closing.signal,
    );
    if (!answer?.goOn) return false;
    const before = fatalOf(session).map(problemLine).join("\n");
    await session.reloadSettings();
    if (fatalOf(session).map(problemLine).join("\n") === before) return true; // the person chose to go on without it
  }
  return true;
};

/** Notices about everything in the settings that has no effect. */
export const reportProblems = async (session: Session, emit: Emit): Promise<void> => {
  for (const problem of session.settings.problems)
    await emit({
      type: "notice",
      level: problem.fatal ? "error" : "warning",
      text: problem.fatal
        ? `${problemLine(problem)} (its last good deny and ask rules stay in force)`
        : problemLine(problem),
    });
  for (const text of ruleWarnings(session)) await emit({ type: "notice", level: "warning", text });
};

/** Reads the settings again; hooks that the folder's files gained since the session opened stay out of force. */
export const adoptSettings = (session: Session, loaded: LoadedSettings): void => {
  if (session.knownHooks) session.newHooks = withholdNewHooks(loaded, session.knownHooks);
  session.settings = loaded;
};

/** From here on the hooks of the folder are those that were there when the person opened it. */
export const freezeHooks = (session: Session): void => {
  session.knownHooks = new Set(folderHooks(session.settings).map(({ key }) => key));
};

const confirmHooks = async (session: Session, emit: Emit): Promise<void> => {
  const { newHooks, knownHooks } = session;
  if (newHooks.length === 0 || !knownHooks) return;
  const unseen = newHooks.filter(({ key }) => !session.refusedHooks.has(key));
  if (unseen.length === 0) return;
  for (const { key } of unseen) session.refusedHooks.add(key); // asked once, whatever the answer
  const answer = await session.questions.ask(
    "go_on",
    {
      title: "New hooks appeared in this folder's settings",
      detail: `${unseen.map(({ line }) => line).join("\n")}\n\nThey run by themselves. Go on puts them in force; otherwise they stay off in this session.`,
    },
    emit,
    session.closing.signal,
  );
  if (!answer?.goOn) return;
  for (const { key } of unseen) knownHooks.add(key);
  await session.reloadSettings();
};

const ruleTexts = ({ settings }: Session): string =>
  JSON.stringify(settings.rules.map(({ text, behavior, source }) => [text, behavior, source]));

/** Reads what changed on disk and says so. Never throws. */
const onChange = async (session: Session, changed: readonly string[]): Promise<void> => {
  const emit: Emit = async (event) => publish(session, event);
  const before = {
    rules: ruleTexts(session),
    text: JSON.stringify(session.settings.settings),
    fatal: fatalOf(session),
  };
  try {
    await session.reloadSettings();
  } catch (error) {
    await emit({
      type: "notice",
      level: "error",
      text: `Settings could not be read again: ${(error as Error).message}`,
    });
    return;
  }
  const fatal = fatalOf(session);
  if (fatal.length > 0)
    await emit({
      type: "notice",
      level: "error",
      key: "settings",
      text: `${fatal.map(problemLine).join("; ")} (its last good deny and ask rules stay in force)`,
    });
  else if (
    before.rules !== ruleTexts(session) ||
    before.text !== JSON.stringify(session.settings.settings) ||
    before.fatal.length > 0
  )
    await emit({
      type: "notice",
      level: "info",
      key: "settings",
      text: `Settings changed on disk and are in force: ${changed.join(", ")}`,
    });
  await announce(session, "change", emit);
  await confirmHooks(session, emit);
};

/** Watches the settings files until the session closes. */
export const watchSessionSettings = (session: Session): void => {
  const files = session.settings.layers.map(({ file }) => file).filter((file) => file.startsWith("/"));
  const watching = watchSettings(files, (changed) => void onChange(session, changed));
  session.closing.signal.addEventListener("abort", () => watching.close(), { once: true });
};
