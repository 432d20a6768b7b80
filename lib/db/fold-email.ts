/**
 * An email address as users are stored and found by it. Folds ASCII letters alone: the lower case of U+212A, the Kelvin
 * sign, is "k", so its address would be that of another person.
 */
export function foldEmail(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
