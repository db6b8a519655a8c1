// Commands of the table that need a word of their own: date, ps, printenv, test, read, xargs.
import type { Finding } from "../analysis.js";
import { looksSecret } from "../names.js";
import { operandsOf } from "../operand.js";
import { scanOptions } from "../options.js";
import { finding, type Reader, secretFindings, verdict } from "../read-only/classify.js";
import { maySplit, onlyValue, unquoted } from "../words.js";

export const readDate: Reader = (words) => {
  const scanned = scanOptions(words.slice(1), {
    valued: "drfs",
    glued: "I",
    longValued: ["date", "reference", "file", "set"],
    longPlain: ["utc", "universal", "iso-8601", "rfc-3339", "rfc-email", "debug"],
  });
  const findings: Finding[] = [...secretFindings(words)];
  for (const { name, written } of scanned.options)
    if (!/^(-d|-u|-R|-I|-r|--date|--utc|--universal|--iso-8601|--rfc-3339|--rfc-email|--reference|--debug)$/.test(name))
      findings.push(
        finding(name.startsWith("--f") || name === "-f" ? "W4" : "W1", `date ${written} is not known to only show`),
      );
  const bad = scanned.operands.find(
    (word) => !word.alternatives.every(([first]) => first?.kind === "text" && first.text.startsWith("+")),
  );
  if (bad) findings.push(finding("W1", `date ${bad.written} sets the clock`));
  return verdict(findings);
};

export const readPs: Reader = (words) => {
  const findings: Finding[] = [...secretFindings(words)];
  for (const [index, word] of words.slice(1).entries()) {
    const text = onlyValue(word);
    if (text === undefined) findings.push(finding("W1", `ps ${word.written} could ask for the environment`));
    else if (!text.startsWith("-") && index === 0 && !/^[auxfwljh]+$/.test(text) && !/^\d+$/.test(text))
      findings.push(finding("W1", `ps ${text} may show the environment of processes`));
    else if (/^-[A-Za-z]*E/.test(text))
      findings.push(finding("W1", `ps ${text} shows the environment of processes on some systems`));
    // BSD words count behind others too.
    else if (index > 0 && /^[a-z]*e[a-z]*$/.test(text) && !/^-/.test(onlyValue(words[index] ?? word) ?? "-"))
      findings.push(finding("W1", `ps ${text} may show the environment of processes`));
  }
  return verdict(findings);
};

export const readPrintenv: Reader = (words) => {
  const names = words.slice(1).map(onlyValue);
  if (names.length === 0) return verdict([finding("F2", "printenv shows every variable")]);
  const isHidden = names.some((name) => name === undefined || name.startsWith("-") || looksSecret(name));
  return verdict(isHidden ? [finding("F2", "printenv of a variable that looks secret or is not known")] : []);
};

const fileTests = /^-[abcdefghkprstuwxGLNOS]$/;
const numberTests = /^-(eq|ne|lt|le|gt|ge)$/;

export const readTest: Reader = (words, { scope }) => {
  const findings: Finding[] = [];
  const reads = [];
  const isDouble = words[0]?.written === "[[";
  for (const [index, word] of words.entries()) {
    const text = onlyValue(word);
    const next = words[index + 1];
    if (text === "-v" || text === "-R") findings.push(finding("E3", `test ${text} evaluates a subscript`));
    // Unquoted text may become -v and its operand.
    if (
      index > 0 &&
      !isDouble &&
      maySplit(word) &&
      word.alternatives.flat().some((piece) => piece.kind === "unknown" && piece.isSplit)
    )
      findings.push(finding("E3", `${word.written} could turn into a test that evaluates text`));
    if (isDouble && text !== undefined && numberTests.test(text))
      for (const side of [words[index - 1], next])
        if (
          side &&
          !/^-?\d+$/.test(onlyValue(side) ?? "") &&
          !side.alternatives.every((pieces) => pieces.every((piece) => piece.kind === "unknown" && piece.isNumber))
        )
          findings.push(finding("E3", `[[ ${text} ]] evaluates ${side.written} as arithmetic`));
    if (text !== undefined && fileTests.test(text) && next && words[index - 1] !== undefined) {
      const isBinaryAnd =
        (text === "-a" || text === "-o") &&
        index > 1 &&
        !/^(!|\(|-a|-o)$/.test(onlyValue(words[index - 1] ?? word) ?? "x");
      if (!isBinaryAnd && next)
        reads.push(...operandsOf(next, scope, { isMetadata: true }).filter(({ path, glob }) => path ?? glob));
    }
  }
  return verdict(findings, reads);
};

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `read`: its names are checked by the walk; here only its options. */
export const readRead: Reader = (words) => {
  const scanned = scanOptions(words.slice(1), { valued: "adinNptu", isPosix: true });
  const findings = [...secretFindings(words)];
  for (const { name, written } of scanned.options)
    if (!/^-[rsdnNpt]$/.test(name)) findings.push(finding("D5", `read ${written} is not known to be harmless`));
  for (const word of scanned.operands)
    if (!plainName.test(unquoted(word)) || onlyValue(word) === undefined)
      findings.push(finding("E3", `read into ${word.written} evaluates a subscript`));
  return verdict(findings);
};
