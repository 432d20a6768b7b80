/** The version of the package, for the header `User-Agent`. */
export const VERSION = "0.1.0";
