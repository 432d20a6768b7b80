import type { Command } from "commander";
export function exportCommand(_command: Command): void {}
export function importCommand(_command: Command): void {}
