// What the model is told before the first prompt: the system prompt, and the first reminder with instructions, date and git.
import { release, type } from "node:os";
import { gitSnapshot } from "../platform/git.js";
import { agentListing } from "../prompt/agent.js";
import { buildSystemPrompt } from "../prompt/build.js";
import { firstReminder } from "../prompt/first-reminder.js";
import { type Instruction, loadInstructions } from "../prompt/instructions.js";
import type { SystemBlock } from "../providers/provider.js";
import type { AnyTool } from "../tools/tool.js";
import { agentTypes } from "./agent-thread.js";
import { listingOf } from "./later-tools.js";
import { childEnv, type Session, workingDirs } from "./session.js";
import type { ToolShelf } from "./tool-shelf.js";

/** The system prompt of the session; the same bytes until the model or the tools change. */
export const systemPrompt = (session: Session): SystemBlock[] => {
  const { flags, isInteractive } = session.options;
  session.system ??= buildSystemPrompt(
    {
      cwd: session.options.cwd,
      extraDirs: workingDirs(session).slice(1),
      isGitRepo: session.gitBranch !== undefined,
      platform: process.platform,
      osVersion: `${type()} ${release()}`,
      shell: "bash",
      model: { id: session.model.id, label: session.model.label },
      tools: session.tools.map(({ name }) => name),
      isHeadless: !isInteractive,
      language: session.settings.get("language"),
      ...(session.style && session.style.text !== "" ? { outputStyle: session.style } : {}),
    },
    { custom: flags.systemPrompt, append: flags.appendSystemPrompt },
  );
  return session.system;
};

/** The date in the person's time zone, YYYY-MM-DD. */
const localDate = (now: number): string => {
  const date = new Date(now);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

/** The instruction files as the first reminder has them; none where they are switched off. */
export const instructionFiles = async ({ options, places, settings }: Session): Promise<Instruction[]> => {
  if (options.env.CLAUDE_CODE_DISABLE_CLAUDE_MDS) return [];
  const { files } = await loadInstructions({
    cwd: options.cwd,
    home: places.home,
    configDir: places.configDir,
    agentsMd: settings.get("agentsMd") ?? "fallback",
    excludes: settings.get("claudeMdExcludes") ?? [],
    sources: options.flags.settingSources,
  });
  return files;
};

/** Text of the first reminder. Reads instruction files and asks git: not before the folder is trusted, except headless. */
export const backgroundReminder = async (
  session: Session,
  tools: readonly Pick<AnyTool, "name">[] = session.tools,
  { cwd, shelf }: { cwd: string; shelf: ToolShelf } = { cwd: session.options.cwd, shelf: session.shelf },
): Promise<string> => {
  const { options, settings } = session;
  const wantsGit =
    settings.get("includeGitInstructions") !== false && !options.env.CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS;
  const mayDelegate = tools.some(({ name }) => name === "Agent");
  const [agents, instructions, git] = await Promise.all([
    mayDelegate ? agentTypes(session) : undefined,
    instructionFiles(session),
    wantsGit ? gitSnapshot({ cwd, env: childEnv(session) }) : undefined,
  ]);
  const deferred = listingOf(shelf);
  return firstReminder({
    instructions,
    date: localDate(options.clock.now()),
    more: [
      ...(agents ? [{ title: "agents", text: agentListing(agents.agents) }] : []),
      ...(deferred ? [deferred] : []),
    ],
    git: git && { ...git, recentCommits: git.recentCommits.join("\n") },
  });
};
