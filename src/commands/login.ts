// /login and /logout: another key, or none.
import { defineCommand } from "./command.js";
import { messageOf } from "./texts.js";

export const login = defineCommand({
  name: "login",
  description: "Enter another API key, or go offline",
  run: async (_args, context) => {
    try {
      return { kind: "text", text: await context.login() };
    } catch (error) {
      return { kind: "text", text: messageOf(error), isError: true };
    }
  },
});

export const logout = defineCommand({
  name: "logout",
  description: "Remove the stored API key",
  isHeadless: true,
  run: async (_args, context) => {
    try {
      return { kind: "text", text: await context.logout() };
    } catch (error) {
      return { kind: "text", text: messageOf(error), isError: true };
    }
  },
});
