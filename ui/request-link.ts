/** The request and the token of a link from a notification; undefined for every other address. */
export function linked(): { readonly id: string; readonly token: string } | undefined {
  const [, id] = /^\/requests\/([0-9a-f]{6})$/.exec(location.pathname) ?? [];
  const token = location.hash.slice(1);
  return id === undefined || !/^[\w-]{20,}$/.test(token) ? undefined : { id, token };
}
