/** The operator's command line: `npm run --silent ragstone -- <command>`. */
import { ignoreLostOutput } from "../serve/lost-output.ts";
import { createProgram } from "./program.ts";

ignoreLostOutput();
const words = process.argv.slice(2);
const program = await createProgram(words);
if (words.length === 0) program.help();
await program.parseAsync();
// models and parsers may keep the process alive
process.exit();
