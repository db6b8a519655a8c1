import { afterEach, describe, expect, test } from "vitest";
import { keys, renderScreen, type TestScreen } from "./support/screen.js";

let screen: TestScreen;
afterEach(() => screen.unmount());

describe("the prompt on the screen", () => {
  test("an idle session shows the prompt between two rules and the footer", async () => {
    screen = await renderScreen();
    console.log(screen.text(), screen.caret());
    await screen.press("h", "i");
    console.log(screen.text(), screen.caret());
    await screen.press(keys.enter);
    console.log(screen.text(), screen.engine.requests);
  });
});
