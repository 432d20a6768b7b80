import { apiRoute } from "@/lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute("/v1/*", {});
