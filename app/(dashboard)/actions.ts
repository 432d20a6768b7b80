"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { action } from "@/lib/auth/action.ts";
import { clearSession, writeSession } from "@/lib/auth/session-cookie.ts";
import { companyNameInput } from "@/lib/companies/schema.ts";
import { createCompany } from "@/lib/companies/service.ts";
import { notFound } from "@/lib/errors.ts";
import { endSessions } from "@/lib/members/sessions.ts";

export const switchCompanyAction = action(
  { name: "company.switch", anyCompany: true, schema: z.strictObject({ companyId: z.uuid() }) },
  async ({ member, input: { companyId } }) => {
    if (!member.companies.some(({ id }) => id === companyId)) throw notFound("Company");
    await writeSession({ id: member.sessionId, userId: member.userId, companyId });
    redirect("/overview");
  },
);

export const createCompanyAction = action(
  { name: "company.create", role: "admin", schema: companyNameInput },
  async ({ member, actor, input }) => {
    const company = await createCompany(actor, input);
    await writeSession({ id: member.sessionId, userId: member.userId, companyId: company.id });
    redirect("/overview");
  },
);

export const signOutAction = action({ name: "session.end", anyCompany: true, schema: z.strictObject({}) }, async () => {
  await clearSession();
  redirect("/sign-in");
});

export const signOutEverywhereAction = action(
  { name: "session.end_all", anyCompany: true, schema: z.strictObject({}) },
  async ({ member }) => {
    await endSessions(member.userId);
    await clearSession();
    redirect("/sign-in");
  },
);
