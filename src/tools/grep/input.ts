// What Grep may be asked: the options of ripgrep that a model needs.
import { z } from "zod";

export const grepInput = z.object({
  pattern: z.string().min(1).describe("Regular expression (Rust syntax, as ripgrep takes it)"),
  path: z.string().optional().describe("File or folder to search; the working folder if left out"),
  glob: z.string().optional().describe('Only files whose name matches, e.g. "*.ts" or "*.{ts,tsx}"'),
  type: z.string().optional().describe("Only files of a type that ripgrep knows, e.g. ts, py, rust"),
  output_mode: z
    .enum(["content", "files_with_matches", "count"])
    .optional()
    .describe("content: matching lines; files_with_matches (default): paths; count: matches in each file"),
  "-A": z.number().int().min(0).optional().describe("Lines after each match (content mode)"),
  "-B": z.number().int().min(0).optional().describe("Lines before each match (content mode)"),
  "-C": z.number().int().min(0).optional().describe("Lines before and after each match (content mode)"),
  context: z.number().int().min(0).optional().describe("The same as -C"),
  "-n": z.boolean().optional().describe("Line numbers in content mode; on unless false"),
  "-i": z.boolean().optional().describe("Ignore upper and lower case"),
  "-o": z.boolean().optional().describe("Only the matching parts of the lines (content mode)"),
  multiline: z.boolean().optional().describe("Let the pattern match across lines; . then matches line ends too"),
  head_limit: z.number().int().min(0).optional().describe("Most lines or files to return; 250 if left out, 0 for all"),
  offset: z.number().int().min(0).optional().describe("Skip this many lines or files first"),
});
export type GrepInput = z.infer<typeof grepInput>;
