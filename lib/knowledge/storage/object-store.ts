/** Keeps the originals of uploaded files. Keys are `<companyId>/<uuid>`; putting a key again replaces it. */
export interface ObjectStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** @throws ObjectStoreError when there is no such object. */
  get(key: string): Promise<Uint8Array>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
}

/** An original could not be kept or read. The message says why, in words for the operator. */
export class ObjectStoreError extends Error {
  override readonly name = "ObjectStoreError";
}

/** Two names of letters, digits and dashes: no key can leave its folder. */
export function checkKey(key: string): void {
  if (!/^[\da-z-]+\/[\da-z-]+$/i.test(key)) throw new ObjectStoreError(`"${key}" is not a key of an original.`);
}
