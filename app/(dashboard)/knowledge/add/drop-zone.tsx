"use client";

import FileUp from "lucide-react/icons/file-up";
import { type DragEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { cn } from "@/components/cn.ts";
import { Button } from "@/components/ui/button.tsx";
import { chosenFiles, droppedFiles, type NamedFile } from "./dropped-files.ts";

interface DropZoneProps {
  /** Says which files are accepted. */
  children: ReactNode;
  onFiles: (files: NamedFile[]) => void;
  /** The `accept` attribute of the input; all files if absent. */
  accept?: string;
  multiple?: boolean;
}

/** Takes files by drag and drop, or from the buttons. */
export function DropZone({ children, onFiles, accept, multiple = false }: DropZoneProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [taken, setTaken] = useState<NamedFile[]>([]);
  const pass = useEffectEvent((given: NamedFile[]) => onFiles(given));
  useEffect(() => {
    // in an effect, so that the files get the text that leaving a field has just stored, and after the tasks of
    // `useEarlyText`, which wait if choosing the files is what made React hydrate the page
    if (taken.length > 0) setTimeout(() => pass(taken));
  }, [taken]);

  function take(chosen: NamedFile[]): void {
    leaveTextField();
    setTaken(chosen);
  }

  async function drop(event: DragEvent): Promise<void> {
    event.preventDefault();
    setOver(false);
    take(await droppedFiles(event.dataTransfer));
  }

  return (
    <section
      aria-label="Drop files here"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void drop(event)}
      className={cn(
        "grid justify-items-center gap-3 rounded-lg border border-border-strong border-dashed bg-surface px-6 py-10 text-center transition-colors",
        isOver && "border-accent bg-accent-soft",
      )}
    >
      <FileUp aria-hidden className="size-6 text-muted" />
      <div className="max-w-md text-balance text-muted">{children}</div>
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="secondary" onClick={() => files.current?.click()}>
          {multiple ? "Choose files" : "Choose a file"}
        </Button>
        {multiple && (
          <Button variant="secondary" onClick={() => folder.current?.click()}>
            Choose a folder
          </Button>
        )}
      </div>
      <FileInput ref={files} label="Files" accept={accept} multiple={multiple} onFiles={take} />
      {multiple && <FileInput ref={folder} label="Folder" multiple folder onFiles={take} />}
    </section>
  );
}

/** Ends typing: a tag that was typed without Enter counts for files that are chosen or dropped after it. */
function leaveTextField(): void {
  if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
}

interface FileInputProps {
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  accept?: string | undefined;
  multiple: boolean;
  folder?: boolean;
  onFiles: (files: NamedFile[]) => void;
}

function FileInput({ ref, label, accept, multiple, folder, onFiles }: FileInputProps) {
  function take(input: HTMLInputElement): void {
    if (input.files?.length) onFiles(chosenFiles(input.files));
    // so that the same file can be chosen again
    input.value = "";
  }
  // files that were chosen before the page's scripts loaded
  const takeEarlyFiles = useEffectEvent(() => ref.current && take(ref.current));
  useEffect(() => {
    // after the tasks of `useEarlyText`, so that the files get the labels that were typed before them
    const timer = setTimeout(() => takeEarlyFiles());
    return () => clearTimeout(timer);
  }, []);
  return (
    <input
      ref={ref}
      type="file"
      aria-label={label}
      hidden
      multiple={multiple}
      accept={accept}
      {...(folder && { webkitdirectory: "" })}
      onChange={({ target }) => take(target)}
    />
  );
}
