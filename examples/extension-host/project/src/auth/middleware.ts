export function isSignedIn(request: { headers: Record<string, string> }): boolean {
  const header = request.headers.authorization ?? "";
  return header.startsWith("Basic ");
}
