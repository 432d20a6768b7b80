export { Ragstone } from "./client.ts";
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  PreconditionFailedError,
  RagstoneError,
  RateLimitError,
  ServerError,
  StreamError,
  TimeoutError,
  ValidationError,
} from "./errors.ts";
export type { PutFile } from "./file-call.ts";
export type { Answered, ResponseInfo, ResponsePromise } from "./response-promise.ts";
export type { RagstoneOptions } from "./settings.ts";
export type * from "./source-types.ts";
export type {
  BatchOptions,
  ChangeOptions,
  GetOptions,
  PutOptions,
  Sources,
  VerifyOptions,
} from "./sources.ts";
export type { StreamMetadata, StreamPart } from "./stream.ts";
export type { FileBody, RequestOptions } from "./transport.ts";
export type * from "./types.ts";
