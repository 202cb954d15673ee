/** An element with attributes and children; a text is always text, never markup. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") made.addEventListener("click", value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== ""));
  return made;
}

/** Shows these elements in the place of that id, and nothing else. */
export function fill(id, ...children) {
  document.getElementById(id).replaceChildren(...children.flat());
}
