// Theme files to themes; a file that cannot be read is told and left out.
import { type CustomTheme, parseCustomTheme } from "./custom.js";

export interface ThemeFile {
  slug: string;
  text: string;
}

export const loadThemes = (files: readonly ThemeFile[]): { found: CustomTheme[]; problems: string[] } => {
  const found: CustomTheme[] = [];
  const problems: string[] = [];
  for (const { slug, text } of files) {
    try {
      const theme = parseCustomTheme(slug, text);
      found.push(theme);
      for (const problem of theme.problems) problems.push(`Theme ${slug}: ${problem}.`);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { found, problems };
};
