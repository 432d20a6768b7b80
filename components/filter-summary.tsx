import X from "lucide-react/icons/x";
import { Button } from "@/components/ui/button.tsx";

interface FilterSummaryProps {
  /** The number of rows that pass the filters, in words. */
  count: string;
  hasFilters: boolean;
  onClear: () => void;
}

/** The end of a row of filters: the button that clears them, and the number of rows that pass. */
export function FilterSummary({ count, hasFilters, onClear }: FilterSummaryProps) {
  return (
    <>
      {hasFilters && (
        <Button variant="ghost" size="sm" className="self-center" onClick={onClear}>
          <X aria-hidden />
          Clear
        </Button>
      )}
      <span aria-live="polite" className="tabular ml-auto self-center text-muted text-sm">
        {count}
      </span>
    </>
  );
}
