// npm exec tsx scripts/pictures.ts [name …]: plays short sessions in the real program and writes what the screen shows
// as docs/pictures/<name>.svg.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Cell, Pty } from "../test/helpers/pty.js";
import { prepareScenario, scenarioArgs } from "../test/helpers/scenario.js";
import { scenarioSchema } from "../test/helpers/scenario-schema.js";

interface Picture {
  name: string;
  size: [columns: number, rows: number];
  /** Fields of a scenario: files, model, env … */
  world: Record<string, unknown>;
  /** Waits for the text, then types and presses. */
  steps: { see?: string; type?: string; press?: string }[];
  /** Taken as soon as the last text is there: what it shows does not stay. */
  isFleeting?: boolean;
}

const filter = `export const keep = (items: Item[], from: number, to: number) =>
  items.filter((item) => {
    if (item.date < from) return false;
    if (item.date >= to) return false;
    return true;
  });
`;

const work = {
  files: { "src/filter.ts": filter },
  settings: { theme: "dark" },
  model: [
    {
      say: "I'll look at the filter first.",
      calls: [{ Read: { file_path: "{{project}}/src/filter.ts" } }],
    },
    {
      say: "The last day is left out: `>=` should be `>`.",
      calls: [
        {
          Edit: {
            file_path: "{{project}}/src/filter.ts",
            old_string: "    if (item.date >= to) return false;",
            new_string: "    if (item.date > to) return false;",
          },
        },
      ],
    },
    {
      say: "The filter now keeps items of the last day.\n\n| date | before | now |\n|---|---|---|\n| first day | kept | kept |\n| last day | **dropped** | **kept** |\n\n```ts\nif (item.date > to) return false; // inclusive\n```",
    },
  ],
};

const ask = [{ type: "make the date filter inclusive", press: "enter" }, { see: "Change" }];

/** The offline tour, as it begins for somebody without a key. */
const tour = { credentials: false, args: ["--model", "offline", "start the tour"], settings: { theme: "dark" } };

const toEdit = [{ see: "Create claude-tour/notes.md?" }, { press: "1" }, { see: "Change claude-tour/notes.md?" }];

const pictures: readonly Picture[] = [
  {
    name: "tour-start",
    size: [88, 20],
    world: { credentials: false, settings: { theme: "dark" } },
    steps: [{ see: "Take the offline tour" }],
  },
  { name: "tour-create", size: [88, 30], world: tour, steps: toEdit.slice(0, 1) },
  { name: "tour-edit", size: [88, 30], world: tour, steps: toEdit },
  {
    name: "tour-agents",
    size: [88, 30],
    world: { ...tour, env: { CLAUDE_OFFLINE_DELAY_MS: "400" } },
    steps: [...toEdit, { press: "1" }, { see: "what is written" }, { see: "1 turn" }],
    isFleeting: true,
  },
  {
    name: "tour-plan",
    size: [88, 36],
    world: tour,
    steps: [...toEdit, { press: "1" }, { see: "Start fresh with this plan" }],
  },
  { name: "edit", size: [88, 26], world: work, steps: ask },
  { name: "work", size: [88, 30], world: work, steps: [...ask, { press: "1" }, { see: "inclusive" }] },
  {
    name: "command",
    size: [88, 18],
    world: { settings: { theme: "dark" }, model: [{ calls: [{ Bash: { command: "git push --force-with-lease" } }] }] },
    steps: [{ type: "push it", press: "enter" }, { see: "Run this command?" }],
  },
  {
    name: "theme",
    size: [88, 24],
    world: { settings: { theme: "dark" } },
    steps: [{ type: "/theme", press: "enter" }, { see: "Colours" }],
  },
  {
    name: "light",
    size: [88, 30],
    world: { ...work, settings: { theme: "light" } },
    steps: [...ask, { press: "1" }, { see: "inclusive" }],
  },
];

const cellWidth = 8.4;
const cellHeight = 18;
const margin = 12;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The colours of xterm's first 16, for cells that name one. */
const palette = ["#1e1e1e", "#cd3131", "#0dbc79", "#c5a017", "#2472c8", "#bc3fbc", "#11a8cd", "#d4d4d4"];

const colourOf = (value: string, fallback: string): string => {
  if (value === "default") return fallback;
  if (value.startsWith("#")) return value;
  return palette[Number(value.slice(8)) % palette.length] ?? fallback;
};

const attributes = (cell: Cell, ground: { fg: string; bg: string }): string => {
  const [fg, bg] = [colourOf(cell.fg, ground.fg), colourOf(cell.bg, ground.bg)];
  const marks = [
    `fill="${cell.inverse ? bg : fg}"`,
    cell.bold ? 'font-weight="bold"' : "",
    cell.italic ? 'font-style="italic"' : "",
    cell.underline ? 'text-decoration="underline"' : "",
    cell.dim ? 'opacity="0.6"' : "",
  ];
  return marks.filter(Boolean).join(" ");
};

/** The folder's name is made up anew each time: it has no place in a picture. */
const withoutFolder = (text: string): string =>
  text
    .replace(/\S*\/claude-test-\w+\/project/g, (path) => "~/shop".padStart(path.length))
    .replace(/\S*\/claude-test-\w+\/home/g, (path) => "~".padStart(path.length));

/** One row: rectangles for backgrounds, one text for each stretch of the same look. */
const rowSvg = (cells: readonly Cell[], y: number, ground: { fg: string; bg: string }): string => {
  const top = margin + y * cellHeight;
  let svg = "";
  for (let x = 0; x < cells.length; ) {
    const first = cells[x] as Cell;
    const look = attributes(first, ground);
    const bg = first.inverse ? colourOf(first.fg, ground.fg) : colourOf(first.bg, ground.bg);
    let end = x;
    let text = "";
    while (end < cells.length) {
      const cell = cells[end] as Cell;
      const isSame = attributes(cell, ground) === look && cell.bg === first.bg && cell.inverse === first.inverse;
      if (!isSame) break;
      text += cell.text === "" ? "" : cell.text;
      end += 1;
    }
    const left = (margin + x * cellWidth).toFixed(1);
    const width = ((end - x) * cellWidth).toFixed(1);
    if (bg !== ground.bg) svg += `<rect x="${left}" y="${top}" width="${width}" height="${cellHeight}" fill="${bg}"/>`;
    if (text.trim() !== "")
      svg += `<text x="${left}" y="${top + 13.5}" textLength="${width}" lengthAdjust="spacingAndGlyphs" ${look} xml:space="preserve">${escaped(withoutFolder(text))}</text>`;
    x = end;
  }
  return svg;
};

const svgOf = (pty: Pty, isLight: boolean): string => {
  const ground = isLight ? { fg: "#1f1f1f", bg: "#ffffff" } : { fg: "#d4d4d4", bg: "#1b1b1d" };
  const width = Math.ceil(2 * margin + pty.cols * cellWidth);
  const height = 2 * margin + pty.rows * cellHeight;
  const rows = Array.from({ length: pty.rows }, (_, y) => {
    const cells = Array.from({ length: pty.cols }, (_unused, x) => pty.cell(x, y));
    return rowSvg(cells as Cell[], y, ground);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
<rect width="100%" height="100%" rx="8" fill="${ground.bg}"/>
${rows.filter(Boolean).join("\n")}
</svg>
`;
};

const readingMs = 700; // dialogs take no keys in their first moments

const draw = async ({ name, size, world, steps, isFleeting = false }: Picture): Promise<string> => {
  const raw = {
    ...scenarioSchema.parse({ title: name, ...world, env: { COLORTERM: "truecolor", ...(world.env as object) } }),
    name,
  };
  const { scenario, workspace, server, site } = await prepareScenario(raw);
  const [cols, rows] = size;
  const pty = workspace.startCli(scenarioArgs(scenario), { cols, rows, timeoutMs: 60_000 });
  try {
    await pty.waitUntil(() => pty.modeIsSet(2004), "the program to take input");
    for (const { see, type, press } of steps) {
      if (see) await pty.waitFor(see);
      if (type || press) await delay(readingMs);
      if (type) pty.type(type);
      if (type || press) await pty.settle();
      if (press) pty.press(press);
    }
    if (!isFleeting) await pty.settle(400);
    return svgOf(pty, name === "light");
  } finally {
    await pty.dispose();
    await server.close();
    await site?.close();
    await workspace.dispose();
  }
};

const folder = resolve(import.meta.dirname, "../docs/pictures");
mkdirSync(folder, { recursive: true });
const wanted = process.argv.slice(2);
for (const picture of pictures) {
  if (wanted.length > 0 && !wanted.includes(picture.name)) continue;
  writeFileSync(join(folder, `${picture.name}.svg`), await draw(picture));
  process.stdout.write(`docs/pictures/${picture.name}.svg\n`);
}
