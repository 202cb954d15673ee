export {
  type ExtensionHost,
  type ExtensionHostOptions,
  type Prompted,
  startExtensionHost,
} from "./extension-host/host.ts";
export { type ServedWebView, serveWebView, type WebViewServerOptions } from "./extension-host/http-channel.ts";
export { PAGE_FOLDER } from "./extension-host/page-files.ts";
export { connectWebview, type Webview, type WebviewOptions } from "./extension-host/panel-channel.ts";
export { Sidecar, type SidecarContent } from "./extension-host/sidecar.ts";
export type {
  CallEntry,
  HostMessage,
  HostQuestion,
  HostReply,
  HostState,
  SidecarIntent,
  TextEntry,
  TimelineEntry,
  TracedChange,
} from "./extension-host/state.ts";
export {
  type AssistantBlock,
  type FieldType,
  type HostCall,
  type HostTool,
  hostTool,
  type ToolInput,
} from "./extension-host/tool.ts";
