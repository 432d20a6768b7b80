/**
 * The headers of a file that browsers save and never display, because an uploaded file may be a page with scripts.
 * @param type the media type; browsers save the file whatever its type
 */
export function attachment(fileName: string, type = "application/octet-stream") {
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
    "Cache-Control": "no-store",
  };
}
