/** What a route reads of a request. */
export interface ApiRequest extends Pick<Request, "method" | "url" | "headers" | "signal"> {
  body: AsyncIterable<Uint8Array> | null;
}
