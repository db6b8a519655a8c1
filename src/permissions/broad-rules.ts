// Allow rules so wide that the classifier of the auto mode would see nothing: they are set aside while that mode is on.
import type { Rule } from "./types.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Programs that run whatever their arguments, or a file that a call may have written, say. */
const runners = words(
  "sh bash zsh dash ksh fish node deno bun python python2 python3 perl ruby php lua Rscript osascript pwsh powershell " +
    "npx bunx pnpx uvx pipx npm pnpm yarn uv poetry eval source exec sudo doas su env xargs parallel watch ssh docker podman " +
    "kubectl find awk gawk sed tee dd curl wget",
);
/** Programs whose next word says what they do. */
const bySubcommand = words("git cargo go make just task rake gradle mvn dotnet");

/** A name that carries a version: python3.12. */
const isRunner = (name: string): boolean => runners.has(name) || /^(python|ruby|perl|node|php|lua)[\d.]+$/.test(name);

/** Whether a rule lets through so much that it must not bypass the classifier. */
export const isBroadRule = ({ behavior, tool, content }: Rule): boolean => {
  if (behavior !== "allow") return false;
  if (tool === "Agent" || tool === "Monitor") return true;
  if (tool !== "Bash") return tool.includes("*") && !tool.startsWith("mcp__");
  if (content === undefined) return true;
  const text = content.replace(/:\*$/, " *").trim();
  const [name = "", ...rest] = text.split(/\s+/);
  if (!text.includes("*")) return false; // exact: it says all there is
  if (name.includes("*")) return true;
  // "npm run build *" and "git log *" name what runs; "npm run *" and "git *" do not.
  const plain = name.split("/").at(-1) ?? name;
  const fixed = rest.findIndex((word) => word.includes("*"));
  return (isRunner(plain) && fixed < 2) || (bySubcommand.has(plain) && fixed < 1);
};
