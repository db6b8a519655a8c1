// The part of the terminal that draws rows past Ink.
import type { InlaySource } from "../terminal/inlay.js";

export interface InlaySurface {
  setInlay(source: InlaySource): void;
  request(isUrgent?: boolean): void;
}
