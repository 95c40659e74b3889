/** Anything that looks like a credential, for keys that a server echoes in another form than we sent. */
const shapes: readonly RegExp[] = [
  /\b(sk|pk|rk|xai|gsk|key)-[A-Za-z0-9_*-]{8,}/g,
  /\bBearer\s+[A-Za-z0-9._~+/=*-]{8,}/gi,
  /\/\/[^/\s:@]+:[^/\s@]+@/g,
];

/** The text with the given secrets, and whatever looks like one, taken out. */
export function redact(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
  const cleaned = known.reduce(
    (rest, secret) =>
      rest.replaceAll(secret, "[redacted]").replaceAll(encodeURIComponent(secret), "[redacted]"),
    text,
  );
  return shapes.reduce(
    (rest, shape) =>
      rest.replace(shape, (found) => (found.startsWith("//") ? "//[redacted]@" : "[redacted]")),
    cleaned,
  );
}
