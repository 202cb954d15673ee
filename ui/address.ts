import { signal } from "@preact/signals";
import { exported } from "./api.ts";

/** Where the person is: path and query of the address. */
export const address = signal(here());

/** Goes to another page, or to another query of this one. */
export function go(to: string, { replace = false } = {}): void {
  // A file has one address; what would be its path is after the #.
  if (exported !== undefined) {
    const hash = `#${to}`;
    if (replace) history.replaceState(null, "", hash);
    else location.hash = hash;
  } else if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  address.value = here();
}

/** Follows links of our own without loading the page again. */
export function followLinks(): void {
  addEventListener("popstate", () => (address.value = here()));
  addEventListener("hashchange", () => (address.value = here()));
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a[href]");
    const href = link?.getAttribute("href") ?? "";
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || !href.startsWith("/")) return;
    if (link?.hasAttribute("download")) return;
    event.preventDefault();
    go(href);
  });
}

/** Changes parameters of the address and keeps the others; an empty value removes its key. */
export function withQuery(changes: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(address.value.query);
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(key);
    else query.set(key, value);
  }
  const text = query.toString();
  return address.value.path + (text === "" ? "" : `?${text}`);
}

function here(): { readonly path: string; readonly query: string; readonly hash: string } {
  if (exported !== undefined) {
    const [path = "", query = ""] = (location.hash.slice(1) || "/timeline").split("?");
    return { path, query, hash: "" };
  }
  return { path: location.pathname, query: location.search.slice(1), hash: location.hash.slice(1) };
}
