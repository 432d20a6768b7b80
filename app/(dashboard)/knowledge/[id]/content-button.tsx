"use client";

import Pencil from "lucide-react/icons/pencil";
import { parseAsBoolean, useQueryState } from "nuqs";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";

const EditContent = lazyComponent(() => import("./edit-content.tsx").then((module) => module.EditContent));

interface ContentButtonProps {
  id: string;
  /** Whether the member saves a version, or suggests one to an admin. */
  canEdit: boolean;
}

/** Opens the form of a source's text, as `?edit=true` does; `?request=` names the request that showed the problem. */
export function ContentButton({ id, canEdit }: ContentButtonProps) {
  const [requestId] = useQueryState("request");
  const [isOpen, setIsOpen] = useQueryState("edit", parseAsBoolean.withDefault(false));
  return (
    <>
      <Button onClick={() => void setIsOpen(true)}>
        <Pencil aria-hidden />
        {canEdit ? "Edit" : "Suggest a change"}
      </Button>
      {isOpen && <EditContent id={id} canEdit={canEdit} requestId={requestId} onClose={() => void setIsOpen(null)} />}
    </>
  );
}
