// docs/keys.md as the keymap's table makes it.
import { bindings } from "../../components/keys/keymap.js";
import { fixedKeys, scopeOf, scopes } from "../../components/keys/keymap-table.js";
import { keyText } from "../../components/keys/keystroke.js";

const code = (text: string): string => `\`${text}\``;

const head = `# Keys

Made from the table in [components/keys/keymap-table.ts](../components/keys/keymap-table.ts) by
\`npx vitest run test/docs.test.ts -u\`. The same table feeds /help, the hints and the names below.

## Keys of your own

\`/keybindings\` opens \`~/.claude/keybindings.json\` in your editor; what is saved counts at once.

\`\`\`json
{ "bindings": [{ "context": "Chat", "bindings": { "ctrl+e": "chat:externalEditor", "ctrl+u": null } }] }
\`\`\`

- A key is modifiers and a name with \`+\` between: \`ctrl\` (\`control\`), \`shift\`, \`alt\` (\`opt\`, \`option\`, \`meta\`), \`cmd\`
  (\`command\`, \`super\`, \`win\`: only terminals with the kitty keyboard protocol send it). A capital letter alone is shift.
- Named keys: \`enter\` \`esc\` \`tab\` \`space\` \`up\` \`down\` \`left\` \`right\` \`home\` \`end\` \`pageup\` \`pagedown\` \`backspace\` \`delete\`.
- A chord is several keys with blanks between: \`ctrl+x ctrl+e\`. Its first key waits three seconds for the next.
- \`null\` takes a key away. Where there is a text field, plain characters stay free for typing.
- Actions of Global, Scroll and Task may be bound in Chat too.
- A file that cannot be read changes nothing: the bindings before it stay, and a notice names line and column. Entries
  without effect are left out and told with their line.
`;

const fixed = (): string =>
  Object.entries(fixedKeys)
    .map(([key, why]) => `- ${code(key)}: ${why}.`)
    .join("\n");

/** The whole page. */
export const keysPage = (): string => {
  const sections = scopes.flatMap((scope) => {
    const rows = bindings.filter((row) => scopeOf(row.name) === scope);
    const lines = [...new Set(rows.map(({ name }) => name))].map((name) => {
      const same = rows.filter((row) => row.name === name);
      const keys = [...new Set(same.flatMap(({ keys: all }) => all))].map((key) => code(keyText(key)));
      return `| ${code(name)} | ${keys.join(" ") || "none"} | ${same.find(({ description }) => description)?.description ?? ""} |`;
    });
    return lines.length === 0 ? [] : [`## ${scope}\n\n| action | keys | does |\n|---|---|---|\n${lines.join("\n")}\n`];
  });
  return `${head}\nThese stay what they are:\n\n${fixed()}\n\n${sections.join("\n")}`;
};
