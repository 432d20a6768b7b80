import { expect, test } from "vitest";
import { attachment } from "./attachment.ts";

test("a file is saved under its name and never displayed", () => {
  expect(attachment('Prüfung\'s "plan"\r\nX: y.html')).toEqual({
    "Content-Type": "application/octet-stream",
    "Content-Disposition":
      "attachment; filename=\"Pr_fung's _plan___X: y.html\"; filename*=UTF-8''Pr%C3%BCfung%27s%20%22plan%22%0D%0AX%3A%20y.html",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox",
    "Cache-Control": "no-store",
  });
});

test("a name with lone surrogates is replaced by valid text", () => {
  expect(attachment("\uD800.txt")["Content-Disposition"]).toContain("%EF%BF%BD.txt");
});
