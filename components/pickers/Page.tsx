// Page: names and values to read, e.g. /status and /cost.
import { sanitise } from "../../src/lib/sanitise.js";
import { padToWidth, textWidth, wrapText } from "../../src/lib/text-width.js";
import type { Picker } from "../../src/protocol/pickers.js";
import { useServices } from "../app-context.js";
import { pickerAction } from "../keys/keymap.js";
import { useKeys } from "../keys/use-keymap.js";
import { useTheme } from "../theme/use-theme.js";
import { Panel } from "../ui/Panel.js";
import { lastOffset, Rows } from "../ui/Rows.js";
import { useLocal } from "../ui/use-local.js";
import { usePickerSize, walkList } from "./picker-frame.js";

type PageData = Extract<Picker, { kind: "page" }>;

/** The page's rows as text: names in one column, values wrapped beside them. */
export const pageRows = (page: PageData, width: number, dim: (text: string) => string): string[] => {
  const widest = Math.max(0, ...page.rows.map(({ label }) => textWidth(sanitise(label))));
  const nameWidth = Math.min(widest, Math.floor(width / 2)) + 2;
  return page.rows.flatMap(({ label, value }) =>
    wrapText(sanitise(value), Math.max(8, width - nameWidth)).map(
      (line, at) => dim(padToWidth(at === 0 ? sanitise(label) : "", nameWidth)) + line,
    ),
  );
};

export const Page = ({ page }: { page: PageData }) => {
  const theme = useTheme();
  const { actions, prompt } = useServices();
  const { width, inner, bodyRows } = usePickerSize();
  const local = useLocal(() => ({ offset: 0 }));
  const rows = pageRows(page, inner, (text) => theme.style("dim", text));
  const height = bodyRows(0);
  useKeys({
    context: "picker",
    onKey: (press) => {
      const action = pickerAction(press.id);
      const end = lastOffset(rows.length, height);
      const offset = walkList(press, local.get().offset, end + 1, height);
      if (action === "cancel" || action === "accept") actions.setPicker(null);
      else if (offset !== null && rows.length > height) local.set({ offset });
      else if (offset === null && press.text !== "") prompt.typeAhead(press); // a page takes no text: it is for the draft
      return true;
    },
    onPaste: (text) => {
      prompt.paste(text);
      return true;
    },
  });
  return (
    <Panel title={sanitise(page.title)} footer="esc closes" width={width} border="promptBorder">
      <Rows rows={rows} height={height} offset={local.value.offset} />
    </Panel>
  );
};
