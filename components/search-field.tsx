import Search from "lucide-react/icons/search";
import { Input } from "@/components/ui/input.tsx";

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  /** Whether the server is still searching. */
  pending: boolean;
  onChange: (value: string) => void;
}

/** The search field above a list. */
export function SearchField({ label, placeholder, value, pending, onChange }: SearchFieldProps) {
  return (
    <div className="relative">
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        className="pl-9"
        value={value}
        maxLength={200}
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
      {pending && (
        <span aria-hidden className="absolute inset-x-3 bottom-0.5 h-0.5 animate-working rounded-full bg-accent" />
      )}
    </div>
  );
}
