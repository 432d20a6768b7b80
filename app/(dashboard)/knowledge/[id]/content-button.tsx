"use client";

import Pencil from "lucide-react/icons/pencil";
import { parseAsBoolean, useQueryState } from "nuqs";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";

const EditContent = lazyComponent(() => import("./edit-content.tsx").then((module) => module.EditContent));

/** Opens the form of a source's text, as `?edit=true` does. */
export function ContentButton({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useQueryState("edit", parseAsBoolean.withDefault(false));
  return (
    <>
      <Button onClick={() => void setIsOpen(true)}>
        <Pencil aria-hidden />
        Edit
      </Button>
      {isOpen && <EditContent id={id} onClose={() => void setIsOpen(null)} />}
    </>
  );
}
