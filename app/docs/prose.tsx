/** Renders a description of the API; text between backticks is code. */
export function Prose({ text }: { text: string }) {
  return [...text.matchAll(/`([^`]*)`|[^`]+/g)].map(({ 0: words, 1: code, index }) =>
    code === undefined ? (
      words
    ) : (
      <code key={index} className="font-mono">
        {code}
      </code>
    ),
  );
}
