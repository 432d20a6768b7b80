/**
 * The policy of every page: scripts by nonce alone, nothing from elsewhere, no frame around it. Styles may be inline, because
 * React and the primitives set them on elements; they can load nothing from outside either.
 * @param nonce fresh for every request, base64
 * @param options.development lets the bundler of the development server evaluate and connect
 */
export function contentSecurityPolicy(nonce: string, { development = false } = {}): string {
  const directives = {
    "default-src": "'self'",
    "script-src": `'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": development ? "'self' ws: wss:" : "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** On every response that is not the API's. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
  "X-Frame-Options": "DENY",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
  "Cross-Origin-Opener-Policy": "same-origin",
};

/** The nonce of a policy, as the server set it on the request. */
export function nonceOf(policy: string | null): string | undefined {
  return policy?.match(/'nonce-([^']+)'/)?.[1];
}
