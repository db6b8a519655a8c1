// Which tool for what, naming only tools that are offered.
import { bullets, type Section } from "./section.js";

export const usingTools: Section = {
  name: "using tools",
  stable: true,
  render: ({ tools }) => {
    const has = (name: string): boolean => tools.includes(name);
    const instead = [
      has("Read") && "Read, not cat, head, tail or sed -n",
      has("Edit") && "Edit, not sed or awk",
      has("Write") && "Write, not echo or heredocs",
      has("Glob") && "Glob, not find or ls",
      has("Grep") && "Grep, not grep or rg",
    ].filter((text) => text !== false);
    const lines = [
      has("Bash") &&
        instead.length > 0 &&
        `Use the tool made for the job: ${instead.join("; ")}. The person sees such calls clearly and they need fewer permissions. Bash is for everything that really needs a shell: builds, tests, git, package managers.`,
      has("Bash") && "Never use shell output to speak to the person: write text.",
      "Make independent calls in one go, in the same message; wait only where one needs the result of another.",
      has("Edit") &&
        has("Read") &&
        "Read a file before you edit it, and copy the text to replace exactly as it stands, without the line numbers.",
      "Give absolute paths to file tools.",
      has("Agent") &&
        "Give broad searches and self-contained side work to an agent (Agent) when the intermediate output would flood this conversation; look up a known file or symbol yourself. Do not repeat what an agent is already doing.",
      has("TaskCreate") &&
        "For work of three or more steps keep a task list (TaskCreate, TaskUpdate): mark a task in progress when you begin it and completed as soon as it really is. Skip it for small things.",
      !has("TaskCreate") &&
        has("TodoWrite") &&
        "For work of three or more steps keep a todo list (TodoWrite) and update it as you go.",
      has("ToolSearch") && "Some tools are listed by name only; load them with ToolSearch before calling them.",
      "When a call fails, read the message and correct the call; never send the same failing call again.",
    ];
    return `# Using tools\n${bullets(lines)}`;
  },
};
