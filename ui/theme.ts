import { effect, signal } from "@preact/signals";

/** What the person chose; `auto` follows the system. */
export const theme = signal<"auto" | "light" | "dark">(stored());

/** The next choice. */
export function turnTheme(): void {
  theme.value = theme.value === "auto" ? "dark" : theme.value === "dark" ? "light" : "auto";
}

effect(() => {
  if (theme.value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
  localStorage.setItem("sluice-theme", theme.value);
});

function stored(): "auto" | "light" | "dark" {
  const found = localStorage.getItem("sluice-theme");
  return found === "light" || found === "dark" ? found : "auto";
}
