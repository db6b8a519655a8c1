// The reader's place in the transcript: following, anchored, scrolling; always at the cost of a viewport.
import { expect, test } from "vitest";
import { createTranscriptModel } from "../../../../components/transcript/model.js";
import { createRowCache } from "../../../../components/transcript/row-cache.js";
import { type BlockSource, createSource } from "../../../../components/transcript/source.js";
import type { TranscriptItem } from "../../../../state/app-state.js";
import { assistant, plain, prompts, theme, user } from "./fixtures.js";

const setUp = (items: TranscriptItem[]) => {
  let list = items;
  const source = createSource({ items: () => list, theme: () => theme, now: () => 0 });
  const model = createTranscriptModel(source);
  return {
    model,
    items,
    replace: (next: TranscriptItem[]) => (list = next),
    rows: (h = 4, w = 40) => plain(model.rows(h, w)),
  };
};

test("a short transcript is shown from its start, a long one from its end", () => {
  expect(setUp(prompts(2)).rows(10)).toEqual(["❯ prompt 0", "", "❯ prompt 1"]);
  expect(setUp(prompts(50)).rows(3)).toEqual(["❯ prompt 48", "", "❯ prompt 49"]);
  expect(setUp([]).rows(3)).toEqual([]);
});

test("F003 what the reader looks at does not move while an answer grows and more arrives", () => {
  const { model, items, rows } = setUp(prompts(100));
  rows();
  model.page(-1);
  model.page(-1);
  const before = rows();
  expect(model.isFollowing).toBe(false);
  const answer = assistant("a", "one", false);
  items.push(answer);
  for (let index = 0; index < 100; index++) {
    answer.text += `\n\nline ${index}`;
    answer.v++;
    expect(rows()).toEqual(before);
  }
  expect(model.newCount).toBe(1);
  items.push(user("last", "the end"));
  expect(model.newCount).toBe(2);
  model.toEnd();
  expect([model.isFollowing, model.newCount, rows().at(-1)]).toEqual([true, 0, "❯ the end"]);
});

test("growth of the last item counts as new, once", () => {
  const answer = assistant("a", "one", false);
  const { model, rows } = setUp([...prompts(20), answer]);
  rows();
  model.scrollBy(-2);
  expect(model.newCount).toBe(0);
  answer.text += " two";
  answer.v++;
  expect(model.newCount).toBe(1);
});

test("scrolling back down reaches the end and follows again, without a jump", () => {
  const { model, rows } = setUp(prompts(30));
  const end = rows();
  model.scrollBy(-3);
  const up = rows();
  expect(up).not.toEqual(end);
  model.scrollBy(2);
  expect(model.isFollowing).toBe(false);
  model.scrollBy(1);
  expect([model.isFollowing, rows()]).toEqual([true, end]);
});

test("every scroll step moves by exactly one row, up to the top and down again", () => {
  const { model, rows } = setUp(prompts(15));
  const all = plain(setUp(prompts(15)).model.rows(1000, 40));
  rows();
  for (let top = all.length - 5; top >= 0; top--) {
    model.scrollBy(-1);
    expect(rows()).toEqual(all.slice(top, top + 4));
  }
  model.scrollBy(-1);
  expect(rows()).toEqual(all.slice(0, 4));
  for (let top = 1; top <= all.length - 4; top++) {
    model.scrollBy(1);
    expect(rows()).toEqual(all.slice(top, top + 4));
  }
  expect(model.isFollowing).toBe(true);
});

test("top and end are one step away, the position is told by item", () => {
  const { model, rows } = setUp(prompts(40));
  rows();
  model.toTop();
  expect([rows()[0], model.position]).toEqual(["❯ prompt 0", { index: 1, count: 40 }]);
});

test("when everything fits there is nothing to scroll", () => {
  const { model, rows } = setUp(prompts(2));
  rows(10);
  model.scrollBy(-5);
  model.toTop();
  expect(model.isFollowing).toBe(true);
});

test("a growing bottom pane keeps the first row of an anchored view", () => {
  const { model, rows } = setUp(prompts(40));
  rows(10);
  model.scrollBy(-20);
  const first = rows(10)[0];
  expect(rows(6)[0]).toBe(first);
});

test("a narrower window keeps the place by proportion", () => {
  const { model, rows } = setUp([assistant("a", "word ".repeat(400)), ...prompts(10)]);
  rows(10, 80);
  model.toTop();
  model.scrollBy(10);
  rows(10, 80);
  rows(10, 40);
  expect(model.anchor?.messageIndex).toBe(0);
  expect(model.anchor?.rowOffset).toBeGreaterThan(15);
});

test("a replaced list (/clear, /resume) is followed from its end", () => {
  const { model, rows, replace } = setUp(prompts(40));
  rows();
  model.scrollBy(-10);
  replace(prompts(3));
  expect([model.isFollowing, rows(9).length]).toEqual([true, 5]);
});

test("a click finds its item", () => {
  const { model, rows } = setUp(prompts(10));
  rows(4);
  expect([0, 1, 3].map((row) => model.itemAt(row))).toEqual(["u8", "u8", "u9"]);
});

test("F029 drawing and scrolling touch only blocks of the viewport, in 50,000 messages too", () => {
  const items = prompts(50_000);
  let drawn = 0;
  const inner = createSource({ items: () => items, theme: () => theme });
  const source: BlockSource = Object.create(inner, {
    rows: {
      value: (...parameters: Parameters<BlockSource["rows"]>) => {
        drawn++;
        return inner.rows(...parameters);
      },
    },
  });
  const model = createTranscriptModel(source);
  model.rows(40, 80);
  for (let index = 0; index < 50; index++) {
    model.scrollBy(-3);
    model.rows(40, 80);
  }
  expect(drawn).toBeLessThan(51 * 60);
});

test("the row cache keeps rows until version, width or look change, and forgets the least used", () => {
  const cache = createRowCache(2);
  let made = 0;
  const make = () => [`made ${++made}`];
  cache.get("a", "1", make);
  cache.get("a", "1", make);
  cache.get("b", "1", make);
  expect(cache.get("a", "2", make)).toEqual(["made 3"]);
  cache.get("c", "1", make);
  expect([cache.size, cache.get("b", "1", make)]).toEqual([2, ["made 5"]]);
});
