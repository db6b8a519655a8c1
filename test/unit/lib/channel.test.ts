import { expect, test } from "vitest";
import { createChannel } from "../../../src/lib/channel.js";

test("a reader gets all values in order and then the end", async () => {
  const channel = createChannel<number>();
  for (const value of [1, 2, 3]) void channel.push(value);
  channel.close();
  const seen: number[] = [];
  for await (const value of channel) seen.push(value);
  expect(seen).toEqual([1, 2, 3]);
});

test("a producer waits while the buffer is full and goes on when the reader takes", async () => {
  const channel = createChannel<number>(2);
  let pushed = 0;
  const producer = (async () => {
    for (let value = 0; value < 6; value++) {
      await channel.push(value);
      pushed++;
    }
    channel.close();
  })();
  await Promise.resolve();
  await Promise.resolve();
  expect(pushed).toBe(1); // the second push fills the buffer and waits
  const seen: number[] = [];
  for await (const value of channel) seen.push(value);
  await producer;
  expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
});

test("a reader that leaves early releases the producer", async () => {
  const channel = createChannel<number>(1);
  const producer = (async () => {
    for (let value = 0; value < 10; value++) await channel.push(value);
    return "free";
  })();
  for await (const _ of channel) break;
  expect(await producer).toBe("free");
});
