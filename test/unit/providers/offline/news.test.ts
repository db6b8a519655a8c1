// biome-ignore-all lint/correctness/noComponentHookFactories: tools are no components
import { describe, expect, it } from "vitest";
import type { Message } from "../../../../src/protocol/messages.js";
import { startSession } from "./session.js";

const earlier: Message[] = [
  { role: "user", content: 'say "an old answer"' },
  { role: "assistant", content: [{ type: "text", text: "an old answer" }] },
];

/** What the offline model says to a message that holds nothing but what the program tells. */
const remarkOn = async (...texts: string[]): Promise<string> => {
  const session = startSession("/w");
  session.messages.push(...earlier, ...texts.slice(0, -1).map((content): Message => ({ role: "user", content })));
  return session.run(texts.at(-1) ?? "");
};

const typed = (command: string, out: string, failure = ""): [string, string] => [
  `<bash-input>${command}</bash-input>`,
  `<bash-stdout>${out}</bash-stdout><bash-stderr>${failure}</bash-stderr>`,
];
const moved =
  "The person moved the command to the background; it goes on there as task b7x. Its output goes to /tmp/b7x (read it with Read, or with TaskOutput).";

describe("what happened last", () => {
  it("is the person's own command, not an earlier answer", async () => {
    expect(await remarkOn(...typed("seq 1 3", "1\n2\n3"))).toBe("You ran `seq 1 3`. It printed 3 lines.");
    expect(await remarkOn(...typed("true", ""))).toBe("You ran `true`. It printed nothing.");
    expect(await remarkOn(...typed("false", "", "Exit code 1"))).toContain("It did not end well (Exit code 1)");
  });

  it("is a command that goes on in the background, or its end", async () => {
    expect(await remarkOn(...typed("sleep 20", moved))).toContain("`sleep 20` goes on in the background as b7x");
    const session = startSession("/w", { Bash: () => ({ text: moved }) });
    const said = await session.run("run `sleep 20`");
    expect(said).toContain("`sleep 20` goes on in the background as b7x");
    expect(said).not.toContain("printed");
    const end = "<task-notification>\n<task-id>b7x</task-id>\n<summary>It finished.</summary>\n</task-notification>";
    expect(await remarkOn(end)).toBe("News from the background: It finished.");
  });
});
