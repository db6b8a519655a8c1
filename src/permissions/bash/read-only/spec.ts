// The shape of the read-only table: how a command's options and operands are read.
import type { OptionGrammar } from "../options.js";

export type OperandKind =
  /** Every operand is a file that is read. */
  | "files"
  /** The first operand is a pattern or program unless an option gives it; the rest are files. */
  | "pattern"
  /** Operands are plain text. */
  | "text"
  /** Only existence or attributes of the operands are looked at. */
  | "metadata"
  /** No operand is allowed. */
  | "none";

export interface ReadOnlySpec extends OptionGrammar {
  operands: OperandKind;
  /** Options whose value is a file that is opened. */
  files?: readonly string[];
  /** Options whose value replaces the pattern operand. */
  patterns?: readonly string[];
  /** Options that write or have other effects, with the check that names it; `""` as name stands for any other option. */
  never?: ReadonlyMap<string, string>;
  /** When set, only these options are accepted: single letters, then long names. */
  only?: { letters: string; long: readonly string[] };
  maxOperands?: number;
  /** Options that make it read what lies below its operands; `true`: always. */
  recursive?: true | readonly string[];
  /** With no operand it works on the current folder. */
  usesCwd?: boolean;
  /** Every option is harmless: words that may turn into options are fine. */
  isAnyOption?: boolean;
  /** Lines it prints are paths below its operands: with one of these options, or (text) with only these letters. */
  lists?: readonly string[] | string;
  /** Lines of a listing stay a listing when only options of these letters are given. */
  keepsLists?: string;
  /** Without a file it prints one number, when its options are among these letters. */
  counts?: string;
}
