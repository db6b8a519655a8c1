// Interrupt: what Ctrl+C, Ctrl+D and Esc will do next. The same function decides and writes the hint.

export interface InterruptFacts {
  hasText: boolean;
  isRunning: boolean;
  /** A picker or page is open. */
  hasPicker: boolean;
  /** A question is open: the draft is out of sight then. */
  hasQuestion: boolean;
  /** The key that was pressed once and would act now. */
  armed: "ctrl+c" | "ctrl+d" | "esc" | null;
}

export type InterruptStep = "closePicker" | "clearText" | "rewind" | "interrupt" | "arm" | "exit" | "none";

/** Ctrl+C: closes what is open, clears text, stops the run, and only then asks whether to leave. */
export const onCtrlC = (facts: InterruptFacts): InterruptStep => {
  if (facts.hasPicker && !facts.hasQuestion) return "closePicker";
  if (facts.hasText && !facts.hasQuestion) return "clearText";
  if (facts.isRunning) return "interrupt";
  return facts.armed === "ctrl+c" ? "exit" : "arm";
};

/** Ctrl+D without text: leaves at the second press. */
export const onCtrlD = ({ armed }: InterruptFacts): InterruptStep => (armed === "ctrl+d" ? "exit" : "arm");

/** Esc in the prompt: stops the run; without one, the second press clears the text, or without text goes back. */
export const onEsc = ({ isRunning, hasText, armed }: InterruptFacts): InterruptStep => {
  if (isRunning) return "interrupt";
  if (armed !== "esc") return "arm";
  return hasText ? "clearText" : "rewind";
};

/** What the next press does, for the footer; empty when there is nothing worth saying. */
export const interruptHint = (facts: InterruptFacts): string => {
  if (facts.armed === "esc") return facts.hasText ? "esc again clears the text" : "esc again goes back to a prompt";
  if (facts.armed) return `${facts.armed} again leaves`;
  if (facts.isRunning) return facts.hasText ? "esc stops · ctrl+c clears the text" : "esc stops";
  return "";
};
