// The transcript in the component tree. It mounts nothing per message: "publish" hands rows to the terminal, "text" is
// one <Text> of the same rows (component tests, screen readers, fallback).
import { Box, Text } from "ink";
import { useLayoutEffect } from "react";
import type { TranscriptSource } from "../terminal/full-painter.js";

/** Gives the rows of a window: the transcript's model or the viewer. */
export interface RowModel {
  rows(height: number, width: number): readonly string[];
}

/** The part of the terminal this component needs. */
export interface TranscriptSurface {
  setTranscriptRows(source: TranscriptSource): void;
  request(isUrgent?: boolean): void;
}

export interface PublishProps {
  backend: "publish";
  model: RowModel;
  surface: TranscriptSurface;
  /** Changes with every change of an item or of the position: a frame is drawn then. */
  rev: number | string;
}
export interface TextProps {
  backend: "text";
  model: RowModel;
  height: number;
  width: number;
  rev: number | string;
}

const Published = ({ model, surface, rev }: PublishProps) => {
  useLayoutEffect(() => {
    surface.setTranscriptRows((height, width) => model.rows(height, width));
    return () => surface.setTranscriptRows([]);
  }, [model, surface]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `rev` is what says that there is something new to draw.
  useLayoutEffect(() => surface.request(false), [surface, rev]);
  return null;
};

const AsText = ({ model, height, width }: TextProps) => {
  const rows = model.rows(height, width);
  return (
    <Box height={height} width={width} overflow="hidden" flexShrink={0}>
      <Text wrap="truncate">{rows.map((row) => (row === "" ? " " : row)).join("\n")}</Text>
    </Box>
  );
};

/** The visible window of the transcript. */
export const Transcript = (props: PublishProps | TextProps) =>
  props.backend === "publish" ? <Published {...props} /> : <AsText {...props} />;
