// Identifiers that cross the engine/UI border.
import { randomUUID } from "node:crypto";

/** A fresh random id (UUID v4) for messages, questions and sessions. */
export const newId = (): string => randomUUID();

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True when `text` has the shape of a UUID. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);
