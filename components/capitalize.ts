/** Capitalizes a schema's message, such as "must not be empty", which is shown below its field without the name. */
export function capitalize(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
