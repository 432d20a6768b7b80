"use server";

import { redirect } from "next/navigation";
import { action } from "@/lib/auth/action.ts";
import { writeSession } from "@/lib/auth/session-cookie.ts";
import { changeSettingsInput, companyNameInput, deleteCompanyInput } from "@/lib/companies/schema.ts";
import { deleteCompany, renameCompany, updateCompanySettings } from "@/lib/companies/service.ts";
import { AppError } from "@/lib/errors.ts";

export const renameCompanyAction = action(
  { name: "company.rename", role: "admin", schema: companyNameInput },
  async ({ scope, actor, input }) => {
    await renameCompany(scope, actor, input);
  },
);

export const updateCompanySettingsAction = action(
  { name: "company.update_settings", role: "admin", schema: changeSettingsInput },
  async ({ scope, actor, input }) => {
    await updateCompanySettings(scope, actor, input);
  },
);

export const deleteCompanyAction = action(
  { name: "company.delete", role: "admin", schema: deleteCompanyInput },
  async ({ scope, actor, member, input }) => {
    if (input.name.trim() !== member.company.name.trim()) {
      throw new AppError("Conflict", "The company was renamed. Reload the page.");
    }
    const next = member.companies.find(({ id }) => id !== member.company.id);
    // a person without a company could not create a new one
    if (!next) throw new AppError("Conflict", "You cannot delete your only company.");
    await deleteCompany(scope, actor);
    await writeSession({ id: member.sessionId, userId: member.userId, companyId: next.id });
    redirect("/overview");
  },
);
