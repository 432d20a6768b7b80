import type { Command } from "commander";
export function backupCommand(_command: Command): void {}
export function restoreCommand(_command: Command): void {}
