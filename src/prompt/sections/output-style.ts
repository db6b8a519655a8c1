// The chosen output style, last so that it has the last word on manner.
import type { Section } from "./section.js";

export const outputStyle: Section = {
  name: "output style",
  stable: false,
  render: ({ outputStyle: style }) => style && `# Output style: ${style.name}\n${style.text.trim()}`,
};
