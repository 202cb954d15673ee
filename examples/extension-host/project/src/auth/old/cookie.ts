export const COOKIE = "session";
