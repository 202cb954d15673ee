/** What is wrong with an object that should have exactly these fields, each of this type. */
export function complaintsAbout(value, fields) {
  const strangers = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
  return [
    ...Object.entries(fields)
      .filter(([name, type]) => !Object.hasOwn(value, name) || !TYPES[type](value[name]))
      .map(([name, type]) => `"${name}" has to be ${ARTICLES[type]}`),
    ...strangers.map((name) => `"${name}" is not known`),
  ];
}

const TYPES = {
  text: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
const ARTICLES = { text: "a string", boolean: "true or false", object: "an object" };
