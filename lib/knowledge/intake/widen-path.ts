/** The path of the issue that asks to confirm a wider audience. Apart from the error, which pages do not need. */
export const WIDEN = "widen";
