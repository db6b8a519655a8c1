// The tags that wrap commands, shell input and notices inside user text, and what a person should see of them.

export interface ShownText {
  /** "hidden": nothing to show, "prompt": typed by a person, "output": of a local command, "notice": of a background task. */
  kind: "prompt" | "output" | "notice" | "hidden";
  text: string;
  isError?: boolean;
}

/** The text between `<name>` and `</name>`, when there is such a pair. */
const inside = (text: string, name: string): string | undefined => {
  const start = text.indexOf(`<${name}>`);
  if (start === -1) return undefined;
  const from = start + name.length + 2;
  const end = text.indexOf(`</${name}>`, from);
  return end === -1 ? undefined : text.slice(from, end);
};

const reminder = /<system-reminder>[\s\S]*?<\/system-reminder>\s*/g;

/** What a person sees of one user text. */
export const shownText = (text: string): ShownText => {
  if (!text.includes("<")) return { kind: text.trim() === "" ? "hidden" : "prompt", text };
  const command = inside(text, "command-name");
  if (command !== undefined) {
    const name = command.startsWith("/") ? command : `/${command}`;
    const args = inside(text, "command-args")?.trim();
    return { kind: "prompt", text: args ? `${name} ${args}` : name };
  }
  const shell = inside(text, "bash-input");
  if (shell !== undefined) return { kind: "prompt", text: `! ${shell}` };
  const out = inside(text, "local-command-stdout") ?? inside(text, "bash-stdout");
  const err = inside(text, "local-command-stderr") ?? inside(text, "bash-stderr");
  if (out !== undefined || err !== undefined) {
    const lines = [out, err].filter((part) => part !== undefined && part !== "");
    return { kind: lines.length === 0 ? "hidden" : "output", text: lines.join("\n"), isError: !out && Boolean(err) };
  }
  if (text.includes("<local-command-caveat>")) return { kind: "hidden", text: "" };
  const notification = inside(text, "task-notification");
  if (notification !== undefined)
    return { kind: "notice", text: inside(notification, "summary") ?? notification.trim() };
  const rest = text.replace(reminder, "");
  return { kind: rest.trim() === "" ? "hidden" : "prompt", text: rest };
};

/** The three tags of a command a person typed. */
export const commandTags = (name: string, args: string): string =>
  `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>\n<command-args>${args}</command-args>`;

/** A local command's output, as transcripts keep it. */
export const commandOutputTag = (text: string): string => `<local-command-stdout>${text}</local-command-stdout>`;
