// React's way to the theme: App provides it once, components take it from here.
import { createContext, useContext } from "react";
import { createTheme, type Theme } from "./themes.js";

export const ThemeContext = createContext<Theme>(createTheme("dark", "truecolour"));

/** The theme in force. */
export const useTheme = (): Theme => useContext(ThemeContext);
