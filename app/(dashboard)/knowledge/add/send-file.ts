import { COMPANY_HEADER } from "@/lib/auth/page-company.ts";
import type { ActionResult } from "@/lib/auth/result.ts";

interface SendOptions {
  companyId: string | undefined;
  /** Called with the fraction of the file that was sent, from 0 to 1. */
  onProgress?: (share: number) => void;
}

/** `retryAfter`: seconds to wait before a retry, set when the server is busy. */
type SendResult<Data> = ActionResult<Data> & { retryAfter?: number | undefined };

/** Sends a file as the body of a request and returns the server's result. Never rejects. */
export function sendFile<Data>(url: string, file: File, options: SendOptions): Promise<SendResult<Data>> {
  // fetch reports no upload progress
  const request = new XMLHttpRequest();
  return new Promise((resolve) => {
    request.open("POST", url);
    request.responseType = "json";
    request.setRequestHeader(COMPANY_HEADER, options.companyId ?? "");
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => options.onProgress?.(total > 0 ? loaded / total : 0);
    const fail = (error: string) => resolve({ ok: false, error, issues: [] });
    request.onload = () => {
      const answer: ActionResult<Data> | null = request.response;
      const retryAfter = Number(request.getResponseHeader("retry-after")) || undefined;
      if (answer && "ok" in answer) resolve({ ...answer, retryAfter });
      else fail("The server rejected the upload. Try again.");
    };
    request.onerror = () => fail("The upload failed. Check your connection, and that the file still exists.");
    request.send(file);
  });
}
