// How the offline model keeps its place without memory: a program is replayed against the calls and results in the messages.
import type { ToolUseBlock } from "../../protocol/messages.js";
import type { Round } from "./timeline.js";

export interface Call {
  name: string;
  input: Record<string, unknown>;
}

/** What came of one call. */
export interface Outcome {
  text: string;
  isError: boolean;
  /** Refused by the person or by a rule, not failed. */
  isDenied: boolean;
  call: Call;
  /** What the person said about it. */
  words?: string;
  /** Ends of background work that were told with it. */
  notices?: readonly string[];
}

/** One move of a program: words, or calls to wait for. */
export type Move = { say: string } | { calls: Call[] };

/** A deterministic script: the same outcomes lead to the same moves. */
export type Program = Generator<Move, void, Outcome[]>;

/** A part of a program with a result. */
export type Part<T> = Generator<Move, T, Outcome[]>;

export interface Reply {
  text: string;
  calls: Call[];
}

const deniedWords =
  /\b(reject|denied|deny|refus|declin|not allowed|permission|did not (?:want|allow)|does not want|said no|withdrawn|interrupted by (?:the )?user)/i;

const saidInResult = /\bThey said: ([\s\S]+)$/;

const outcomeOf = (block: ToolUseBlock, round: Round): Outcome => {
  const result = round.results.get(block.id);
  const text = result?.text ?? "";
  const isError = result?.isError ?? true;
  const said = isError ? saidInResult.exec(text)?.[1] : undefined;
  return {
    text,
    isError,
    isDenied: isError && (said !== undefined || deniedWords.test(text)),
    call: { name: block.name, input: block.input },
    words: [said ?? "", ...(round.words ?? [])].filter(Boolean).join("\n") || undefined,
    notices: round.notices,
  };
};

const matches = (calls: Call[], round: Round): boolean =>
  calls.length === round.calls.length && calls.every(({ name }, index) => name === round.calls[index]?.name);

const lostPlace =
  "I have lost my place: parts of this conversation are no longer there, and as a script I cannot guess them. Please say again what you would like.";

/** Runs a program through the finished rounds and gives its next reply: words alone end the run. */
export const replay = (program: Program, rounds: readonly Round[]): Reply => {
  const said: string[] = [];
  let done = 0;
  let step = program.next([]);
  while (!step.done) {
    if ("say" in step.value) {
      said.push(step.value.say);
      step = program.next([]);
      continue;
    }
    const { calls } = step.value;
    const round = rounds[done];
    if (!round) return { text: said.join("\n\n"), calls };
    if (!matches(calls, round)) return { text: lostPlace, calls: [] };
    done += 1;
    said.length = 0;
    step = program.next(round.calls.map((block) => outcomeOf(block, round)));
  }
  return { text: done < rounds.length ? lostPlace : said.join("\n\n"), calls: [] };
};

/** Words for the person; they stand before the next calls, or end the run. */
export function* say(text: string): Part<undefined> {
  yield { say: text };
  return undefined;
}

/** Makes one call and waits for what comes of it. */
export function* callOne(name: string, input: Record<string, unknown>): Part<Outcome> {
  const call = { name, input };
  const [outcome] = yield { calls: [call] };
  return outcome ?? { text: "", isError: true, isDenied: false, call };
}

/** Makes several calls in one turn. */
export function* callAll(calls: Call[]): Part<Outcome[]> {
  return calls.length === 0 ? [] : yield { calls };
}
