// Dify appends /retrieval to an address that already ends in it
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "../route.ts";
