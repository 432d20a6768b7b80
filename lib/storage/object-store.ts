/** What is to be kept: bytes, or a whole file, which is read piece by piece and left where it is. */
export type Content = Uint8Array | { path: string };

/** Keeps the originals of uploaded files. Keys are `<companyId>/<sha256>`; putting a key again replaces it. */
export interface ObjectStore {
  /** @throws {AppError} InsufficientStorage when the disk is full; ObjectStoreError */
  put(key: string, content: Content): Promise<void>;
  /** @throws ObjectStoreError when there is no such object. */
  get(key: string): Promise<Uint8Array>;
  has(key: string): Promise<boolean>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
}

/** An original could not be kept or read. The message says why, in words for the operator. */
export class ObjectStoreError extends Error {
  override readonly name = "ObjectStoreError";
  /** The store does not serve at the moment; otherwise this one original is at fault. */
  readonly away: boolean;

  constructor(message: string, { away = false, cause }: { away?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.away = away;
  }
}

/** Two names of letters, digits and dashes: no key can leave its folder. */
export function isKey(key: string): boolean {
  return /^[\da-z-]+\/[\da-z-]+$/i.test(key);
}

export function checkKey(key: string): void {
  if (!isKey(key)) throw new ObjectStoreError(`"${key}" is not a key of an original.`);
}
