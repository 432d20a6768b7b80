import { FORM_CONTENT_BYTES_MAX } from "./limits.ts";

/** Whether a form can send this content of a source. Pure. */
export function fitsForm(content: object): boolean {
  return new TextEncoder().encode(JSON.stringify(content)).byteLength <= FORM_CONTENT_BYTES_MAX;
}
