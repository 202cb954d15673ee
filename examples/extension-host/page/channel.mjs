// How messages travel. In an editor's web view the editor carries them; in a browser they go over HTTP.
import { editorChannel } from "./editor-channel.mjs";
import { httpChannel } from "./http-channel.mjs";

/** `postMessage` sends to the host; `onMessage` gets every message of the host, as long as the page lives. */
export const { postMessage, onMessage } =
  typeof acquireVsCodeApi === "function" ? editorChannel(acquireVsCodeApi()) : httpChannel();
