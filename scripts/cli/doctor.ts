import type { Command } from "commander";
export function doctorCommand(_command: Command): void {}
