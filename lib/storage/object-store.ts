/** The content to store: bytes, or a file, which is streamed and stays where it is. */
export type Content = Uint8Array | { path: string };

/** Stores the originals of uploaded files. Keys are `<companyId>/<sha256>`; putting a key again replaces it. */
export interface ObjectStore {
  /** @throws {AppError} InsufficientStorage when the disk is full; ObjectStoreError */
  put(key: string, content: Content): Promise<void>;
  /** @throws {ObjectStoreError} when the object does not exist */
  get(key: string): Promise<Uint8Array>;
  /** Like `get`, without holding the object in memory. */
  open(key: string): Promise<ReadableStream<Uint8Array>>;
  has(key: string): Promise<boolean>;
  /** Deleting a missing object is not an error. */
  delete(key: string): Promise<void>;
  /** Deletes all objects of a company. */
  deleteAll(companyId: string): Promise<void>;
}

/** An original could not be stored or read. The message tells the operator why. */
export class ObjectStoreError extends Error {
  override readonly name = "ObjectStoreError";
  /** True when the store is unavailable; false when only this original has a problem. */
  readonly isUnavailable: boolean;

  constructor(message: string, { isUnavailable = false, cause }: { isUnavailable?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isUnavailable = isUnavailable;
  }
}

/** For `catch` of a read: null when only this original cannot be read. @throws the error when the store is unavailable */
export function nullIfLost(error: unknown): null {
  if (error instanceof ObjectStoreError && !error.isUnavailable) return null;
  throw error;
}

/** Two names of letters, digits and dashes, so that no key can leave its folder. */
export function isKey(key: string): boolean {
  return /^[\da-z-]+\/[\da-z-]+$/i.test(key);
}

export function checkCompanyId(companyId: string): void {
  if (!isKey(`${companyId}/x`)) throw new ObjectStoreError(`"${companyId}" is not a valid folder of original files.`);
}

export function checkKey(key: string): void {
  if (!isKey(key)) throw new ObjectStoreError(`"${key}" is not a valid key of an original file.`);
}
