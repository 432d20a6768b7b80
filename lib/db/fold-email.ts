/**
 * Folds an email address to the form in which users are stored and looked up. Changes ASCII letters only: the lower case
 * of U+212A, the Kelvin sign, is "k", so another person's address would match.
 */
export function foldEmail(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
