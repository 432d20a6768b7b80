import { retrieveRoute } from "@/lib/http/retrieve-route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = retrieveRoute;
