import { redirect } from "next/navigation";
import { currentAccount } from "@/lib/auth/session.ts";
import { setupIsOpen } from "@/lib/members/setup.ts";

export default async function FirstPage() {
  if (await currentAccount()) redirect("/overview");
  redirect((await setupIsOpen()) ? "/setup" : "/sign-in");
}
