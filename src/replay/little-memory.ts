import { setFlagsFromString } from "node:v8";

/**
 * Lets the heap grow slowly while something goes through very much that is garbage at once. The setting is taken back at the end:
 * compiled code that is kept for the next start is valid only under the settings it was made with.
 */
export async function withLittleMemory<T>(act: () => Promise<T>): Promise<T> {
  setFlagsFromString("--optimize-for-size");
  try {
    return await act();
  } finally {
    setFlagsFromString("--no-optimize-for-size");
  }
}
