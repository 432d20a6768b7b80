interface Call {
  url: string;
  method: string;
  body: string | null;
}

const STRING_OR_WORD = /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g;
const PYTHON: Record<string, string> = { true: "True", false: "False", null: "None" };

/** An API request as a person would write it, by language; the key is read from the environment. */
export function requestExamples({ url, method, body }: { url: string; method: string; body: object | null }) {
  const call: Call = { url, method, body: body && JSON.stringify(body, null, 2) };
  return { curl: curl(call), TypeScript: typescript(call), Python: python(call) };
}

function curl({ url, method, body }: Call): string {
  // curl chooses GET without a body and POST with one
  const choice = method === (body ? "POST" : "GET") ? "" : `-X ${method} `;
  const lines = [`curl ${choice}${url}`, '  -H "Authorization: Bearer $RAGSTONE_API_KEY"'];
  if (body) lines.push('  -H "Content-Type: application/json"', `  -d '${body.replaceAll("'", "'\\''")}'`);
  return lines.join(" \\\n");
}

function typescript({ url, method, body }: Call): string {
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    "  headers: {",
    `    Authorization: "Bearer " + process.env.RAGSTONE_API_KEY,`,
    ...(body ? ['    "Content-Type": "application/json",'] : []),
    "  },",
    ...(body ? [`  body: JSON.stringify(${indent(body)}),`] : []),
  ];
  return [`const response = await fetch("${url}", {`, ...options, "});", "console.log(await response.json());"].join(
    "\n",
  );
}

function python({ url, method, body }: Call): string {
  return [
    "import os, requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    `    headers={"Authorization": f"Bearer {os.environ['RAGSTONE_API_KEY']}"},`,
    ...(body
      ? [`    json=${indent(indent(body.replaceAll(STRING_OR_WORD, (found) => PYTHON[found] ?? found)))},`]
      : []),
    ")",
    "print(response.json())",
  ].join("\n");
}

/** Indents all lines but the first by two spaces. */
function indent(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
