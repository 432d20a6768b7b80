import type { FormEventHandler, ReactNode } from "react";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardFooter, CardSplit } from "@/components/ui/card.tsx";

interface SettingsFormProps {
  title: string;
  description: string;
  onSubmit: FormEventHandler;
  /** Beside the submit button. */
  note?: ReactNode;
  /** Label of the submit button. */
  confirm?: string;
  pending: boolean;
  error: string | null;
  children: ReactNode;
}

/** A card of settings that are saved together. */
export function SettingsForm({
  title,
  description,
  onSubmit,
  note,
  confirm,
  pending,
  error,
  children,
}: SettingsFormProps) {
  return (
    // post: before the page's script runs, a submission must not put the fields into the URL
    <form method="post" onSubmit={onSubmit} noValidate>
      <Card>
        <CardSplit title={title} description={description}>
          {children}
          <ErrorMessage>{error}</ErrorMessage>
        </CardSplit>
        <CardFooter>
          {note ?? <span />}
          <Button type="submit" size="sm" pending={pending}>
            {confirm ?? "Save"}
          </Button>
        </CardFooter>
      </Card>
    </form>
  );
}
