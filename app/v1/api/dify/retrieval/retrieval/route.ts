// Dify appends /retrieval to a URL that already ends in it
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "../route.ts";
