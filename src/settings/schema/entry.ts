// The shape of one setting: its type, default, one line of documentation, and which files may set it.
import { z } from "zod";

/** any: every file; um: user, CLI, managed; ulm: also local; m: managed only. */
export type SettingScope = "any" | "um" | "ulm" | "m";

export interface Setting<T extends z.ZodType = z.ZodType> {
  schema: T;
  /** Undefined: unset means "no wish". */
  default: z.infer<T> | undefined;
  doc: string;
  scope: SettingScope;
}

/** Declares one setting. */
export const setting = <T extends z.ZodType>(
  schema: T,
  fallback: z.infer<T> | undefined,
  doc: string,
  scope: SettingScope = "any",
): Setting<T> => ({ schema, default: fallback, doc, scope });

export const texts = z.array(z.string());
export const flag = z.boolean();
export const text = z.string();
