import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth/options.ts";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

async function handler(request: Request, context: Context): Promise<Response> {
  const handle: (request: Request, context: Context) => Promise<Response> = NextAuth(authOptions());
  return handle(request, context);
}

export { handler as GET, handler as POST };
