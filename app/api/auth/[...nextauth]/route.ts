export { handleAuth as GET, handleAuth as POST } from "@/lib/auth/next-auth-handler.ts";
