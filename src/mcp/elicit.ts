// A server's form as questions for a person, and their answers as the values the server wants. Pure.
import { sanitise } from "../lib/sanitise.js";
import type { ChoiceItem } from "../protocol/questions.js";

export interface FormField {
  key: string;
  item: ChoiceItem;
  isRequired: boolean;
  /** The value behind an answer; `problem` says what is wrong with it. */
  read(answer: string): { value: unknown } | { problem: string };
}

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const clean = (value: unknown): string =>
  typeof value === "string" ? sanitise(value).replace(/\s+/g, " ").trim().slice(0, 300) : "";

interface Option {
  value: string;
  label: string;
}

/** The values of an enum, with their titles: `enum` (+ `enumNames`), or `oneOf`/`anyOf` of `const`s. */
const optionsOf = (schema: Fields): Option[] => {
  const titled = [schema.oneOf, schema.anyOf].find(Array.isArray)?.map(fieldsOf);
  if (titled)
    return titled.flatMap((one) =>
      typeof one.const === "string" ? [{ value: one.const, label: clean(one.title) || clean(one.const) }] : [],
    );
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  return (Array.isArray(schema.enum) ? schema.enum : []).flatMap((value, at) =>
    typeof value === "string" ? [{ value, label: clean(names[at]) || clean(value) }] : [],
  );
};

const optionValue = (options: readonly Option[], answer: string): string | undefined =>
  options.find(({ label, value }) => label === answer || value === answer)?.value;

const readNumber = (schema: Fields, answer: string): { value: number } | { problem: string } => {
  const value = Number(answer.trim());
  if (answer.trim() === "" || !Number.isFinite(value)) return { problem: "this must be a number" };
  if (schema.type === "integer" && !Number.isInteger(value)) return { problem: "this must be a whole number" };
  if (typeof schema.minimum === "number" && value < schema.minimum)
    return { problem: `the least is ${schema.minimum}` };
  if (typeof schema.maximum === "number" && value > schema.maximum) return { problem: `the most is ${schema.maximum}` };
  return { value };
};

const readText = (schema: Fields, answer: string): { value: string } | { problem: string } => {
  if (typeof schema.minLength === "number" && answer.length < schema.minLength)
    return { problem: `at least ${schema.minLength} characters` };
  if (typeof schema.maxLength === "number" && answer.length > schema.maxLength)
    return { problem: `at most ${schema.maxLength} characters` };
  if (schema.format === "email" && !/^\S+@\S+$/.test(answer)) return { problem: "this must be an e-mail address" };
  if (schema.format === "uri" && !URL.canParse(answer)) return { problem: "this must be an address (URI)" };
  if (schema.format === "date" && !/^\d{4}-\d\d-\d\d$/.test(answer))
    return { problem: "this must be a date: 2026-11-30" };
  return { value: answer };
};

const yes = "Yes";
const no = "No";
/** What a person picks to leave a field that is not required empty. */
export const leaveOut = "Leave it out";

const reader = (schema: Fields, options: readonly Option[], isList: boolean): FormField["read"] => {
  if (isList)
    return (answer) => {
      const values = answer.split(", ").map((one) => optionValue(options, one));
      return values.includes(undefined) ? { problem: "choose from the list" } : { value: values };
    };
  if (options.length > 0)
    return (answer) => {
      const value = optionValue(options, answer);
      return value === undefined ? { problem: "choose from the list" } : { value };
    };
  if (schema.type === "boolean")
    return (answer) =>
      /^(yes|no)$/i.test(answer) ? { value: /^yes$/i.test(answer) } : { problem: "answer Yes or No" };
  if (schema.type === "number" || schema.type === "integer") return (answer) => readNumber(schema, answer);
  return (answer) => readText(schema, answer);
};

const defaultLabels = (schema: Fields, options: readonly Option[]): string[] => {
  const { default: fallback } = schema;
  if (options.length > 0) return options.map(({ label }) => label);
  if (schema.type === "boolean") return [yes, no];
  return fallback === undefined || typeof fallback === "object" ? [] : [clean(String(fallback))];
};

const fieldOf = (key: string, raw: unknown, isRequired: boolean): FormField => {
  const schema = fieldsOf(raw);
  const isList = schema.type === "array";
  const options = optionsOf(isList ? fieldsOf(schema.items) : schema);
  const labels = [...defaultLabels(schema, options), ...(isRequired ? [] : [leaveOut])];
  const header = clean(schema.title) || clean(key);
  const about = clean(schema.description);
  return {
    key,
    isRequired,
    item: {
      header: header.slice(0, 20),
      question: about === "" ? `${header}?` : `${header}: ${about}`,
      options: [...new Set(labels)].map((label) => ({ label, description: "" })),
      multiSelect: isList,
    },
    read: reader(schema, options, isList),
  };
};

/** The fields of a form, in the server's order. Two that read the same are told apart. */
export const formFields = (requestedSchema: unknown): FormField[] => {
  const schema = fieldsOf(requestedSchema);
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const seen = new Set<string>();
  return Object.entries(fieldsOf(schema.properties)).map(([key, raw]) => {
    const field = fieldOf(key, raw, required.has(key));
    if (seen.has(field.item.question)) field.item.question = `${field.item.question} (${clean(key)})`;
    seen.add(field.item.question);
    return field;
  });
};

export type FormContent = Record<string, string | number | boolean | string[]>;

/** The values of a filled form, and what is wrong with the rest, by field. */
export const formContent = (
  fields: readonly FormField[],
  answers: Readonly<Record<string, string>>,
): { content: FormContent; problems: Map<string, string> } => {
  const content = new Map<string, unknown>();
  const problems = new Map<string, string>();
  for (const { key, item, isRequired, read } of fields) {
    const answer = answers[item.question] ?? "";
    if (!isRequired && (answer === "" || answer === leaveOut)) continue;
    const found = answer === "" && isRequired ? { problem: "this is needed" } : read(answer);
    if ("problem" in found) problems.set(key, found.problem);
    else content.set(key, found.value);
  }
  return { content: Object.fromEntries(content) as FormContent, problems };
};
