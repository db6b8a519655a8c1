// xargs: its own options; the command it runs is a part of its own with unknown further operands.
import { operandsOf } from "../operand.js";
import { scanOptions } from "../options.js";
import { finding, type Reader, secretFindings, verdict } from "../read-only/classify.js";
import type { Feed } from "../scope.js";
import { onlyValue, unquoted, type Word } from "../words.js";
import { wrappers } from "../wrapper-table.js";

const harmless =
  /^(-[0nLPrtdI]|--null|--max-args|--max-lines|--max-procs|--no-run-if-empty|--verbose|--delimiter|--replace)$/;

export const readXargs: Reader = (words, { scope }) => {
  const scanned = scanOptions(words.slice(1), wrappers.get("xargs") ?? {});
  const findings = [...secretFindings(words)];
  for (const { name, written } of scanned.options)
    if (!harmless.test(name)) findings.push(finding("W1", `xargs ${written} is not known to be harmless`));
  const reads = scanned.options.flatMap(({ name, value }) =>
    value && /^(-a|--arg-file)$/.test(name) ? operandsOf(value, scope) : [],
  );
  return verdict(findings, reads);
};

/** The command that xargs runs, with what it adds; undefined when it only prints. */
export const xargsCommand = (words: readonly Word[], stdin: Feed | undefined): Word[] | undefined => {
  const { options, operands } = scanOptions(words.slice(1), wrappers.get("xargs") ?? {});
  if (operands.length === 0) return undefined;
  const isFromFile = options.some(({ name }) => name === "-a" || name === "--arg-file");
  const under = isFromFile ? undefined : stdin?.under;
  const added: Word = {
    written: "…",
    alternatives: [[{ kind: "unknown", text: "", isSplit: true, ...(under === undefined ? {} : { under }) }]],
  };
  const replaced = options.find(({ name }) => name === "-I" || name === "-i" || name === "--replace");
  if (!replaced) return [...operands, added];
  const mark = (replaced.value && onlyValue(replaced.value)) || "{}";
  return operands.map((word) => {
    if (!unquoted(word).includes(mark)) return word;
    const isWhole = unquoted(word) === mark;
    return {
      written: word.written,
      alternatives: [
        [{ kind: "unknown", text: word.written, isSplit: false, ...(isWhole && under !== undefined ? { under } : {}) }],
      ],
    };
  });
};
