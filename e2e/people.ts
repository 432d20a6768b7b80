import { test as base, expect, type Page } from "@playwright/test";
import { ragstone } from "./fixtures.ts";

export const NOBODY = { cookies: [], origins: [] };

export interface Person {
  email: string;
  name: string;
  password: string;
}

/** Creates a person with a password as a member of the company. */
export async function createPerson(company: string, role: "admin" | "support", name = "Sue Slate"): Promise<Person> {
  const email = `${name.toLowerCase().replaceAll(" ", ".")}-${Date.now()}@example.com`;
  const password = "granite marl slate";
  await join(company, role, { email, name, password });
  return { email, name, password };
}

/** Makes a person a member of a company, with a new or an existing account. */
export async function join(company: string, role: "admin" | "support", person: Person): Promise<void> {
  const { email, name, password } = person;
  await ragstone(
    ...["user", "create", "--company", company, "--email", email],
    ...["--name", name, "--role", role, "--password", password],
  );
}

export async function fillSignIn(page: Page, { email, password }: Pick<Person, "email" | "password">): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

interface Fixtures {
  /** Opens a separate browser context, signed in as a person or signed out. */
  visit: (person?: Person) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  visit: async ({ browser }, use) => {
    const pages: Page[] = [];
    await use(async (person) => {
      const context = await browser.newContext({ storageState: NOBODY });
      const page = await context.newPage();
      pages.push(page);
      if (person) {
        await page.goto("/sign-in");
        await fillSignIn(page, person);
        await page.waitForURL("**/overview");
      }
      return page;
    });
    for (const page of pages) await page.context().close();
  },
});

export { expect };
