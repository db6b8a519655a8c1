// What the model of a soak says: turns without end of reading, editing, commands, searches and agents, and summaries when asked.

/** A part of a message, as far as it matters here. */
type Block = { type: string; text?: string; is_error?: boolean };

export interface SoakBody {
  messages: { role: string; content: string | Block[] }[];
}

/** One answer: words, or calls. */
export type SoakAnswer = { say: string } | { calls: { name: string; input: Record<string, unknown> }[] };

export interface Soak {
  /** The answer to a request; undefined: it belongs to no soak. */
  answer(body: SoakBody): SoakAnswer | undefined;
}

const textsOf = (content: string | Block[]): string =>
  typeof content === "string" ? content : content.map((block) => block.text ?? "").join("\n");

/** The prompt of a soak: so many turns, which of its prompts this is, and the folder with the files a.txt and b.txt. */
export const soakPrompt = (turns: number, nth: number, folder: string): string => `soak ${turns} #${nth} in ${folder}`;

const callsAt = (turn: number, folder: string, edits: { last: number; next: number }) => {
  const read = (file: string) => ({ name: "Read", input: { file_path: `${folder}/${file}` } });
  const bash = (command: string) => ({ name: "Bash", input: { command, description: "Soak" } });
  if (turn % 50 === 0) return [{ name: "Agent", input: { description: "a part", prompt: "soak-agent: say a word" } }];
  switch (turn % 10) {
    case 1:
      return [read("b.txt")];
    case 2:
      edits.next = turn;
      return [
        {
          name: "Edit",
          input: { file_path: `${folder}/b.txt`, old_string: `turn ${edits.last}\n`, new_string: `turn ${turn}\n` },
        },
      ];
    case 5:
      return [bash(`seq ${turn} ${turn + 40}`)];
    case 8:
      return [read("a.txt"), { name: "Grep", input: { pattern: `line ${turn % 60}`, path: folder } }];
    case 9:
      return [bash(`echo ${turn} > ${folder}/c.txt`)];
    default:
      return [read("a.txt")];
  }
};

/** A soak that has not begun; prompts made by `soakPrompt` start it, each with its own number. */
export const createSoak = (): Soak => {
  let seen = 0;
  let left: number | undefined;
  let folder = "";
  let turn = 0;
  const edits = { last: 0, next: 0 };
  return {
    answer: ({ messages }) => {
      const newest = messages.at(-1);
      const text = textsOf(newest?.content ?? "");
      if (messages.some(({ content }) => textsOf(content).includes("soak-agent:"))) return { say: "A word." };
      const wish = [...text.matchAll(/soak (\d+) #(\d+) in (\S+)/g)].at(-1);
      if (wish && Number(wish[2]) > seen) {
        left = Number(wish[1]);
        seen = Number(wish[2]);
        folder = wish[3] ?? "";
      }
      if (left === undefined) return undefined;
      if (/write a summary of this conversation|Write notes of this session now/.test(text))
        return { say: "## State\nThe files are read again and again." };
      if (edits.next > edits.last) {
        const failed = Array.isArray(newest?.content) && newest.content.some((block) => block.is_error === true);
        edits.last = failed ? edits.last : edits.next;
        edits.next = edits.last;
      }
      left -= 1;
      turn += 1;
      return left <= 0 ? { say: `Soaked ${seen}.` } : { calls: callsAt(turn, folder, edits) };
    },
  };
};
