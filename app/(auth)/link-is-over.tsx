import Link from "next/link";
import { AuthFrame } from "@/components/auth-frame.tsx";
import { Button } from "@/components/ui/button.tsx";

/** A link that was used, is too old, or was never given. */
export function LinkIsOver({ hours }: { hours: string }) {
  return (
    <AuthFrame
      title="This link no longer works"
      description={`A link works once, for ${hours}. Ask the person who sent it for a new one.`}
    >
      <Button asChild className="w-fit">
        <Link href="/sign-in">Go to sign-in</Link>
      </Button>
    </AuthFrame>
  );
}
