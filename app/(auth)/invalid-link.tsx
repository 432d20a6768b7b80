import Link from "next/link";
import { AuthFrame } from "@/components/auth-frame.tsx";
import { Button } from "@/components/ui/button.tsx";

/** Shown for a link that was used, has expired or never existed. */
export function InvalidLink({ validFor }: { validFor: string }) {
  return (
    <AuthFrame
      title="This link no longer works"
      description={`A link works once, for ${validFor}. Ask the person who sent it for a new one.`}
    >
      <Button asChild className="w-fit">
        <Link href="/sign-in">Go to sign-in</Link>
      </Button>
    </AuthFrame>
  );
}
