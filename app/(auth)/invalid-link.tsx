import Link from "next/link";
import { AuthFrame } from "@/components/auth-frame.tsx";
import { Button } from "@/components/ui/button.tsx";

interface InvalidLinkProps {
  validFor: string;
  /** Whether the server mails a new link to whoever asks; otherwise only an admin makes one. */
  canRequest?: boolean;
}

/** Shown for a link that was used, has expired or never existed. */
export function InvalidLink({ validFor, canRequest = false }: InvalidLinkProps) {
  const next = canRequest ? "Request a new link." : "Ask the person who sent it for a new one.";
  return (
    <AuthFrame title="This link no longer works" description={`A link works once, for ${validFor}. ${next}`}>
      <div className="flex flex-wrap gap-3">
        {canRequest && (
          <Button asChild>
            <Link href="/forgot">Request a new link</Link>
          </Button>
        )}
        <Button variant={canRequest ? "secondary" : "primary"} asChild>
          <Link href="/sign-in">Go to sign-in</Link>
        </Button>
      </div>
    </AuthFrame>
  );
}
