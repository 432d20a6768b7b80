/** A line of the API's descriptions: what stands between backticks is code. */
export function Prose({ text }: { text: string }) {
  return text.split("`").map((part, place) =>
    place % 2 === 0 ? (
      part
    ) : (
      <code key={`${place}-${part}`} className="font-mono">
        {part}
      </code>
    ),
  );
}
