// The text of a permission rule: `Tool` or `Tool(content)`, with the aliases of tool names that tutorials use.

/** Old and informal names, each with the canonical tool it stands for. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["read_file", "Read"],
  ["write_file", "Write"],
  ["edit_file", "Edit"],
  ["list_files", "Glob"],
  ["grep_search", "Grep"],
  ["run_shell", "Bash"],
  ["web_fetch", "WebFetch"],
  ["tool_search", "ToolSearch"],
  ["skill", "Skill"],
  ["agent", "Agent"],
  ["enter_plan_mode", "EnterPlanMode"],
  ["exit_plan_mode", "ExitPlanMode"],
  ["Task", "Agent"],
  ["NotebookRead", "Read"],
  ["LS", "Glob"],
  ["BashOutput", "TaskOutput"],
  ["KillShell", "TaskStop"],
]);

export interface RuleText {
  /** Canonical tool name, or a glob of names such as `mcp__github__*`. */
  tool: string;
  /** Text in the parentheses; undefined for the bare tool. `Tool(*)` is the bare tool. */
  content?: string;
}

/** The canonical name of a tool given under any of its names. */
export const canonicalTool = (name: string): string => aliases.get(name) ?? name;

/** Reads one rule. Returns a message instead when it is not a rule; never throws. */
export const parseRuleText = (text: string): RuleText | string => {
  const rule = text.trim();
  if (rule === "") return "an empty rule";
  const open = rule.indexOf("(");
  const name = open === -1 ? rule : rule.slice(0, open);
  if (!/^[A-Za-z0-9_*.:-]+$/.test(name)) return `"${text}" does not begin with a tool name`;
  if (open === -1) return { tool: canonicalTool(name) };
  if (!rule.endsWith(")")) return `"${text}" lacks its closing parenthesis`;
  const content = rule.slice(open + 1, -1);
  if (content.trim() === "") return `"${text}" has nothing between its parentheses; write ${name} for every use`;
  return content === "*" ? { tool: canonicalTool(name) } : { tool: canonicalTool(name), content };
};

/** The text of a rule as it stands in a settings file. */
export const formatRule = ({ tool, content }: RuleText): string =>
  content === undefined ? tool : `${tool}(${content})`;
