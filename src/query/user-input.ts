// What a person typed, as content of a message.
import type { ContentBlock, ImageBlock } from "../protocol/messages.js";

export interface TypedInput {
  text: string;
  images?: readonly ImageBlock[];
}

/** The prompt as message content: plain text, or text after its images. */
export const promptContent = ({ text, images = [] }: TypedInput): string | ContentBlock[] => {
  if (images.length === 0) return text;
  return text.trim() === "" ? [...images] : [...images, { type: "text", text }];
};
