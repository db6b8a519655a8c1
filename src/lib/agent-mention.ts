// How an agent is named in a prompt: `@agent-NAME`, or `@"NAME (agent)"` as the list of completions writes it.
const suffix = " (agent)";

/** The entry of the completion list that stands for an agent. */
export const agentEntry = (name: string): string => `${name}${suffix}`;

/** The agent that an entry or a mention (without its "@") may name; undefined: it is a path. */
export const mentionedAgent = (text: string): string | undefined => {
  if (text.endsWith(suffix) && text.length > suffix.length) return text.slice(0, -suffix.length);
  return text.startsWith("agent-") && text.length > "agent-".length ? text.slice("agent-".length) : undefined;
};

/** Whether an entry of the completion list is an agent. */
export const isAgentEntry = (entry: string): boolean => entry.endsWith(suffix);
