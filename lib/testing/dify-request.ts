/** The body that Dify's service for external knowledge sends. */
export function difyBody(more: object = {}) {
  return {
    retrieval_setting: { top_k: 4, score_threshold: 0.0 },
    query: "How long does a refund take?",
    knowledge_id: "all",
    metadata_condition: null,
    ...more,
  };
}

/** A request as Dify sends it. */
export function difyRequest(body: string | object | null, authorization: string | null): Request {
  const headers = new Headers(authorization === null ? {} : { authorization });
  // Dify sends no content type with the request that adds an API
  if (body !== null) headers.set("content-type", "application/json");
  const sent = body === null || typeof body === "string" ? body : JSON.stringify(body);
  return new Request("http://localhost/v1/api/dify/retrieval", { method: "POST", headers, body: sent });
}
