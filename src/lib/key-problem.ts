// The form of an API key: what can be told of it without asking the API.

const shortestKey = 8;

/** What makes a key impossible to send as a header, or undefined. */
export const keyCharacterProblem = (key: string): string | undefined => {
  if (/\s/.test(key)) return "A key has no blanks or line breaks in it.";
  return /[^\x21-\x7e]/.test(key) ? "A key has only plain ASCII characters." : undefined;
};

/** What is wrong with a typed key, or undefined. */
export const keyProblem = (key: string): string | undefined => {
  if (key === "") return "No key was entered.";
  const problem = keyCharacterProblem(key);
  if (problem) return problem;
  return key.length < shortestKey ? "That is too short to be a key." : undefined;
};
