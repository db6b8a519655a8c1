// jq: filters that read the environment or other files are found.
import { operandsOf } from "../operand.js";
import { scanOptions } from "../options.js";
import { finding, type Reader, secretFindings, verdict } from "../read-only/classify.js";
import { onlyValue, type Word } from "../words.js";

const plainOptions = new Set(
  "--null-input --raw-input --slurp --compact-output --raw-output --raw-output0 --join-output --ascii-output --sort-keys --color-output --monochrome-output --tab --indent --unbuffered --stream --stream-errors --seq --exit-status --arg --argjson --args --jsonargs --version --help".split(
    " ",
  ),
);
const letters = /^-[nRscrjaSCMeh]$/;

/** What makes a filter more than a filter; strings are looked through too, since they may hold interpolations. */
export const jqDanger = (filter: string): string | undefined => {
  if (/\$ENV\b|(?<![.\w$"])env\b/.test(filter)) return "reads the environment";
  if (/(?<![.\w$"])(import|include|input_line_number|get_search_list|modulemeta)\b/.test(filter))
    return "loads modules";
  if (/\$__prog_args|\$__loc__/.test(filter)) return "reads facts of the program";
  return undefined;
};

/** Takes out options with two values (`--arg name value`) so that the rest reads plainly. */
const withoutNamed = (words: readonly Word[]): { rest: Word[]; opened: Word[] } => {
  const rest: Word[] = [];
  const opened: Word[] = [];
  for (let index = 0; index < words.length; index++) {
    const text = onlyValue(words[index] as Word) ?? "";
    if (/^--(arg|argjson|rawfile|slurpfile|argfile)$/.test(text)) {
      const value = words[index + 2];
      if (value && !/^--(arg|argjson)$/.test(text)) opened.push(value);
      index += 2;
    } else rest.push(words[index] as Word);
  }
  return { rest, opened };
};

export const readJq: Reader = (words, { scope }) => {
  const { rest, opened } = withoutNamed(words.slice(1));
  const scanned = scanOptions(rest, { longValued: ["indent"] });
  const findings = [...secretFindings(words)];
  for (const { name, written } of scanned.options)
    if (!letters.test(name) && !plainOptions.has(name))
      findings.push(finding("L3", `jq ${written} is not known to be harmless`));
  if (scanned.unsure.length > 0)
    findings.push(finding("L3", `${scanned.unsure[0]?.written} could turn into an option of jq`));
  const [filter, ...files] = scanned.operands;
  const text = filter && onlyValue(filter);
  const danger = filter === undefined ? undefined : text === undefined ? "is not constant" : jqDanger(text);
  if (danger) findings.push(finding("L3", `the jq filter ${danger}`));
  const isText = scanned.options.some(({ name }) => name === "--args" || name === "--jsonargs");
  const reads = [...opened, ...(isText ? [] : files)].flatMap((word) => operandsOf(word, scope));
  return verdict(findings, reads);
};
