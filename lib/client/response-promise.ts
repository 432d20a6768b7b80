/** What came with a response besides its body. */
export interface ResponseInfo {
  status: number;
  headers: Headers;
  requestId: string | null;
}

export interface Answered<Data> {
  data: Data;
  response: ResponseInfo;
}

/** A promise of the response's body. */
export interface ResponsePromise<Data> extends Promise<Data> {
  /** The body with the status and headers. */
  withResponse(): Promise<Answered<Data>>;
}

export function responsePromise<Data>(answered: Promise<Answered<Data>>): ResponsePromise<Data> {
  const data = answered.then((each) => each.data);
  const withResponse = () => {
    // the caller handles the error of `answered` instead
    data.catch(() => undefined);
    return answered;
  };
  return Object.assign(data, { withResponse });
}
