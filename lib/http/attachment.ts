/**
 * The headers of a file that is saved and never shown: what people have uploaded may be a page that wants to run here.
 * @param type what it is said to be; a browser that trusts it still saves it
 */
export function attachment(fileName: string, type = "application/octet-stream"): Record<string, string> {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return {
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox",
    "Cache-Control": "private, no-store",
  };
}
