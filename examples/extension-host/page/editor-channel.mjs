/** Messages over the editor's own API: `acquireVsCodeApi().postMessage` out, `message` events of the window in. */
export function editorChannel(api) {
  return {
    postMessage: (message) => api.postMessage(message),
    /** The host cannot know when the page listens, so the page says that it does. */
    onMessage(listener) {
      window.addEventListener("message", ({ data }) => listener(data));
      api.postMessage({ kind: "ready" });
    },
  };
}
