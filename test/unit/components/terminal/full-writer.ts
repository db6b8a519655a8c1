// A frame writer with the painter of the full screen, as the terminal puts them together.
import { createFrameWriter, type FrameWriterOptions } from "../../../../components/terminal/frame-writer.js";
import { createFullPainter, type TranscriptSource } from "../../../../components/terminal/full-painter.js";

export const createFullWriter = (options: Omit<FrameWriterOptions, "painter">) => {
  const painter = createFullPainter(options.size());
  const writer = createFrameWriter({ ...options, painter });
  return Object.assign(writer, { setTranscript: (source: TranscriptSource) => painter.setTranscript(source) });
};
